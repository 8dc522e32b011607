import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

/** The page breaks the line after “lens”. */
const quotedWords = 'lens floats on mercury'

test.use({
  providerBehavior: {
    answer: (_, request) => {
      const { system } = parseConversation(request)
      const [, n] = /\[(\d+)\] Document “Lighthouse.pdf”, page 2/.exec(system) ?? []
      return n ? `The manual says “${quotedWords}” [${n}], and “it never stops” [${n}].` : 'I know no document.'
    },
  },
})

async function createPdf(page: Page): Promise<Buffer> {
  const printPage = await page.context().newPage()
  const pageBreak = 'style="break-before: page"'
  await printPage.setContent(
    `<h1>Manual</h1><p>The lamp turns.</p><p ${pageBreak}>${'The sea is wide.<br>'.repeat(45)}The lens<br>floats on mercury.</p>`,
  )
  const pdf = await printPage.pdf()
  await printPage.close()
  return pdf
}

const getMarkedWords = (page: Page) =>
  page.evaluate(() =>
    [...(CSS.highlights.get('source-words') ?? [])].map((range) => range.toString().replace(/\s/g, '')),
  )

test('Ada keeps a document on the server, opens a quote of it, and deletes it', async ({
  page,
  keeper,
  modelProviders,
}) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  const callApi = <Data>(path: string, body?: unknown) => keeper.callApi<Data>(path, body, { token })
  const { id } = await callApi<Keeper>('/api/keeper/keepers', {
    title: 'The Harbour Year',
    purpose: 'Lights',
    keeperType: 'journal',
    memoryPattern: 'sole',
    theme: 'keeper-classic',
  })
  const agent = await callApi<{ id: string; slug: string }>('/api/kip/agents', {
    name: 'Scribe',
    purpose: 'Knows manuals.',
    agent_class: 'Lead',
    memory_enabled: true,
    context_scope: 'keeper',
  })
  await callApi(`/api/keeper/agents/${agent.id}/keeper-types/system-journal`, {})

  const buffer = await createPdf(page)
  await page
    .getByLabel('Choose documents')
    .setInputFiles({ name: 'Lighthouse.pdf', mimeType: 'application/pdf', buffer })
  await page.getByRole('button', { name: 'Keep Lighthouse.pdf on the server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep on the server' })
  await expect(dialog.getByRole('combobox', { name: 'Keeper' })).toHaveValue(id)
  const permission = dialog.getByRole('checkbox', { name: 'Agents of this keeper can quote it' })
  await expect(permission).toBeEnabled()
  await expect(permission).not.toBeChecked()
  await expectNoViolations(page, 'the dialog')
  await dialog.getByRole('button', { name: 'Keep', exact: true }).click()
  await page.getByRole('link', { name: 'Kept on the server: open Lighthouse.pdf' }).click()

  const reader = page.getByRole('article', { name: 'Lighthouse.pdf' })
  await expect(reader.getByRole('list', { name: 'Pages' }).getByRole('listitem')).toHaveCount(2)
  await expect(reader).toContainText('page 2')
  const chat = getConversation(page, 'Scribe')
  async function askAndExpect(text: string, answer: string) {
    await page.getByLabel('Write to Scribe').fill(text)
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
    await page.getByLabel('Write to Scribe').press('Enter')
    await expect(chat.getByText(answer, { exact: false }).last()).toBeVisible()
  }
  await page.goto(`/${agent.slug}`)
  await askAndExpect('What carries the lens?', 'I know no document.')

  await page.goto(`/keeper/${id}/sources`)
  await page.getByRole('link', { name: /Lighthouse\.pdf/ }).click()
  await reader.getByRole('switch', { name: 'Agents of this keeper can quote it' }).click()
  await expect(reader.getByRole('switch')).toBeChecked()
  const downloadEvent = page.waitForEvent('download')
  await reader.getByRole('button', { name: /^Download/ }).click()
  expect((await downloadEvent).suggestedFilename()).toBe('Lighthouse.pdf')
  await page.reload()
  await expect(reader.getByRole('switch')).toBeChecked()
  await expectNoViolations(page, 'a document')

  await page.goto(`/${agent.slug}`)
  await askAndExpect('And now, what carries the lens?', 'The manual says')
  await expect(chat.getByRole('link', { name: /^Source \d+$/ })).toHaveCount(1)
  await expect(chat, 'a false quote has no number').toContainText('and “it never stops”.')
  await chat.getByRole('link', { name: /^Source \d+$/ }).click()
  const quotedPage = reader.locator('[aria-current]')
  await expect(quotedPage).toContainText('page 2')
  await expect(quotedPage.getByRole('region', { name: 'Page 2' }), 'as in the file').toBeVisible()
  await expect.poll(() => getMarkedWords(page)).toEqual([quotedWords.replaceAll(' ', '')])
  const isMarkVisible = () =>
    page.evaluate(() => {
      const [mark] = CSS.highlights.get('source-words') ?? []
      const { top, bottom } = (mark as Range).getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  await expect.poll(isMarkVisible, 'the words at the end of a long page').toBe(true)

  await expectNoViolations(page, 'a page of a document')
  await quotedPage.getByRole('button', { name: 'Show text' }).click()
  await expect(quotedPage.getByRole('region')).toHaveCount(0)
  expect(await getMarkedWords(page)).toEqual([quotedWords.replaceAll(' ', '')])
  await reader.getByRole('button', { name: 'Show page' }).first().click()
  await expect(reader.getByRole('region', { name: 'Page 1' })).toContainText('The lamp turns.')

  await reader.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No sources yet')).toBeVisible()
  await page.goto(`/${agent.slug}`)
  await askAndExpect('And what now?', 'And what now?')
  const getLastPrompt = () => JSON.stringify(modelProviders.openai.requests.at(-1)?.body)
  await expect.poll(getLastPrompt).toContain('And what now?')
  expect(getLastPrompt()).not.toMatch(/mercury|Lighthouse|lamp turns/)
  await page.goto('/library')
  await expect(page.getByRole('article', { name: 'Lighthouse.pdf' }), 'the copy of the browser stays').toBeVisible()
  await expect(page.getByText('Kept on the server')).toHaveCount(0)
})
