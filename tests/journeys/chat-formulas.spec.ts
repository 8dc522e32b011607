import { expectNoViolations } from './expect-no-violations.ts'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

const answerText = `It costs $5 and $6, and weighs 5~7 grams.

Energy: \\( E = mc^2 \\) and the root $\\sqrt{x}$.

$$
\\begin{aligned}
a &= b \\\\
&= c
\\end{aligned}
$$

Broken: $\\frac{1$ and hostile: $\\def\\a{\\a\\a}\\a$ and $${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}$.

| Step | What |
|---|---|
| 1 | Wash<br>Dry |

- שלום עולם.

\`\`\`mermaid
flowchart LR
  A[Wash] --> B[Fill]
\`\`\`

\`\`\`mermaid
flowchart LR
  A[Wash -->
\`\`\`

The end.`

test.use({ providerBehavior: { answer: () => answerText } })

test('formulas render locally, amounts stay text, copying gives TeX @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada')
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await page.goto('/kip')
  await expect(page.getByLabel('Write to Kip')).toBeFocused()
  expect(fetched.filter((url) => /KaTeX|render-formula|diagram/.test(url))).toEqual([])
  await page.getByLabel('Write to Kip').fill('What does it cost?')
  await page.keyboard.press('Enter')
  const message = getConversation(page).getByRole('listitem').filter({ hasText: 'The end.' }).last()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await expect(message.locator('[data-formula]')).toHaveCount(3)
  await expect(message.locator('math')).toHaveCount(3)
  await expect(message).toContainText('It costs $5 and $6, and weighs 5~7 grams.')
  for (const asWritten of ['$\\frac{1$', '$\\def\\a{\\a\\a}\\a$', '\\sqrt{\\sqrt{'])
    await expect(message).toContainText(asWritten)
  expect(await page.evaluate(() => document.fonts.check('16px KaTeX_Main'))).toBe(true)
  for (const url of fetched) expect(url.startsWith(keeper.url), url).toBe(true)

  await expectNoViolations(page, 'an answer with formulas')
  const copied = await message.evaluate((element) => {
    getSelection()?.selectAllChildren(element)
    const clipboardData = new DataTransfer()
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/plain')
  })
  for (const source of [
    '\\( E = mc^2 \\)',
    '$\\sqrt{x}$',
    '$$\n\\begin{aligned}\na &= b \\\\\n&= c\n\\end{aligned}\n$$',
  ])
    expect(copied).toContain(source)
  expect(copied.split('E = mc^2')).toHaveLength(2)

  const item = message.getByRole('listitem').filter({ hasText: 'שלום' })
  expect(await item.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  await expect(message.locator('td br')).toHaveCount(1)
})

test('diagrams render on request in an opaque origin, and errors keep the code @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await page.getByLabel('Write to Kip').fill('Draw it')
  await page.keyboard.press('Enter')
  const message = getConversation(page).getByRole('listitem').filter({ hasText: 'The end.' }).last()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  expect(fetched.filter((url) => url.includes('diagram'))).toEqual([])
  const draw = message.getByRole('button', { name: 'Draw diagram' })
  await draw.first().click()
  const frame = message.locator('iframe')
  await expect(frame).toHaveAttribute('sandbox', 'allow-scripts')
  await expect(frame.contentFrame().locator('svg').getByText('Wash')).toBeVisible()
  await expect(frame).toHaveCSS('visibility', 'visible')
  expect(
    await page
      .frames()
      .at(-1)
      ?.evaluate(() => self.origin),
  ).toBe('null')
  await expectNoViolations(page, 'a drawn diagram')
  await draw.click()
  await expect(message.getByRole('alert')).toHaveText(/^The diagram couldn’t be drawn\. Parse error on line \d+\.$/)
  await expect(message.locator('pre').filter({ hasText: 'A[Wash -->' })).toBeVisible()
  for (const url of fetched) expect(url.startsWith(keeper.url), url).toBe(true)
  await message.getByRole('button', { name: 'Hide diagram' }).first().click()
  await expect(frame).toHaveCount(0)
})
