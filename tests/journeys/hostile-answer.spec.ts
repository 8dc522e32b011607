import { expect, getConversation, test } from './fixtures.ts'

const attacks = `# A heading

<img src=x onerror="window.attacked = 'img'"> <script>window.attacked = 'script'</script>

<iframe src="https://evil.example/frame"></iframe><style>body { display: none }</style>

<form action="https://evil.example/form"><button>Go on</button></form>

[a javascript link](javascript:window.attacked='link') [a data link](data:text/html,<script>opener.attacked=1</script>)
[a hidden host](//evil.example/here) [a vbscript link](vbscript:msgbox) [a plain link](https://willowbrook.example/page)

![a picture](https://evil.example/pixel.png) ![another][one]

[one]: https://evil.example/two.png

- [x] done
- **bold** and \`<b>code</b>\`

<a href="https://evil.example/raw" onclick="window.attacked = 'click'">raw</a> <svg onload="window.attacked='svg'"></svg>

Tea &amp; caf&eacute; &notit; &lt;b&gt; &nosuch; [named](&#106;avascript&colon;window.attacked='named')

The end.`

test.use({ providerBehavior: { answer: () => attacks } })

test('a hostile answer is shown as text, runs nothing and loads nothing', async ({ page, keeper }) => {
  const foreignRequests: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(keeper.url)) foreignRequests.push(request.url())
  })
  await page.goto('/kip')
  await page.getByLabel('Write to Kip').fill('Show me everything')
  await page.keyboard.press('Enter')
  const answer = getConversation(page).getByRole('listitem').filter({ hasText: 'The end.' }).last()
  await expect(answer).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()

  for (const round of ['as it came', 'read again from the server']) {
    await test.step(round, async () => {
      await expect(answer.getByRole('heading', { name: 'A heading' })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(answer.locator('script, iframe, style, form, img, object, embed, base, link')).toHaveCount(0)
      await expect(answer.locator('strong')).toHaveText('bold')
      await expect(answer.locator('code').filter({ hasText: '<b>code</b>' })).toBeVisible()
      await expect(answer.getByText('onerror=', { exact: false })).toBeVisible()
      await expect(answer.getByText('Tea & café &notit; <b> &nosuch;')).toBeVisible()
      await answer.getByText('named', { exact: true }).click()
      const links = await answer
        .getByRole('link')
        .evaluateAll((anchors) => anchors.map((anchor) => [anchor.getAttribute('href'), anchor.getAttribute('rel')]))
      expect(links.map(([href]) => href)).toEqual(['https://willowbrook.example/page'])
      expect(links[0]?.[1]).toContain('noopener')
      await answer.getByText('a javascript link').click()
      await answer.getByText('raw', { exact: false }).last().click()
      const handlers = await answer.evaluate(
        (element) =>
          [...element.querySelectorAll('*')].flatMap(({ attributes }) =>
            [...attributes].filter(({ name }) => name.startsWith('on')),
          ).length,
      )
      expect(handlers).toBe(0)
      expect(await page.evaluate(() => 'attacked' in window)).toBe(false)
      expect(foreignRequests).toEqual([])
    })
    await page.reload()
  }
})
