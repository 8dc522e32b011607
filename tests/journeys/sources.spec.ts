import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { ZipFile } from 'yazl'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const createdAt = 1_730_600_000

const createNode = (id: string, parent: string | null, role: string, text: string) => ({
  id,
  parent,
  children: [],
  message: {
    id,
    author: { role },
    create_time: createdAt,
    recipient: 'all',
    content: { content_type: 'text', parts: [text] },
  },
})

const conversation = {
  conversation_id: 'c1',
  title: 'How the light turns',
  create_time: createdAt,
  update_time: createdAt,
  current_node: 'a2',
  default_model_slug: 'gpt-5',
  mapping: Object.fromEntries(
    [
      { id: 'root', parent: null, children: ['q'], message: null },
      createNode('s', 'root', 'system', 'Hidden orders.'),
      createNode('q', 's', 'user', 'How does the light of Ada turn so evenly?'),
      createNode('a1', 'q', 'assistant', 'By clockwork alone.'),
      createNode(
        'a2',
        'q',
        'assistant',
        'The lens **floats on mercury**, so a child could push it.\n\n```\nturn()\n```',
      ),
    ].map((node) => [node.id, node]),
  ),
}

function createZip(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream.pipe(new PassThrough()))
}

async function selectWords(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).evaluate((element) => {
    getSelection()?.selectAllChildren(element)
  })
}

test('conversations are imported, read, searched, and their words kept', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const callApi = <Data>(path: string, body?: unknown) => keeper.callApi<Data>(path, body, { token })
  const { id } = await callApi<Keeper>('/api/keeper/keepers', {
    title: 'The Harbour Year',
    purpose: 'Lights',
    keeperType: 'journal',
    memoryPattern: 'sole',
    theme: 'keeper-classic',
  })

  await page.goto(`/keeper/${id}/sources`)
  await expect(page.getByText('No sources yet')).toBeVisible()
  await page.getByRole('link', { name: 'Export and import' }).last().click()
  const zip = await createZip({ 'conversations-000.json': JSON.stringify([conversation]), 'user.json': '{}' })
  await page.getByLabel('Archive').setInputFiles({ name: 'chats.zip', mimeType: 'application/zip', buffer: zip })
  const job = page.getByRole('list', { name: 'Imports' }).getByRole('listitem').first()
  await job.getByRole('combobox', { name: 'Import into' }).selectOption({ label: 'The Harbour Year' })
  await job.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(job).toContainText('Done')
  expect((await callApi<{ items: Moment[] }>(`/api/keeper/keepers/${id}/moments`)).items).toEqual([])

  await page.goto(`/keeper/${id}/dashboard`)
  await page.getByRole('navigation', { name: 'Pages of this keeper' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Sources' }).click()
  await expect(page).toHaveTitle(/Sources/)
  await page.getByRole('searchbox', { name: 'Search sources' }).fill('nothing like this')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search sources' }).fill('mercury')
  const list = page.getByRole('list', { name: 'Sources' })
  await expect(list.getByRole('link')).toHaveCount(1)
  await expectNoViolations(page, 'the list of sources')
  await list.getByRole('link', { name: /How the light turns/ }).click()

  const reader = page.getByRole('article', { name: 'How the light turns' })
  await expect(reader).toContainText('so a child could push it')
  await expect(reader).not.toContainText('By clockwork alone')
  await expect(reader).not.toContainText('Hidden orders')
  await reader.getByRole('button', { name: 'Previous answer' }).click()
  await expect(reader).toContainText('By clockwork alone')
  await reader.getByRole('searchbox', { name: 'Search this conversation' }).fill('mercury')
  await reader.getByRole('button', { name: 'Next match' }).click()
  await expect(reader.getByRole('search').getByRole('status')).toHaveText('1 of 1')
  await expect(reader, 'the branch with the words').toContainText('so a child could push it')
  await expectNoViolations(page, 'a source')

  await selectWords(page, 'floats on mercury')
  await page.getByRole('region', { name: 'Selected words' }).getByRole('button', { name: 'Keep these words' }).click()
  await page.getByRole('menuitem', { name: 'As a reflection' }).click()
  await expect(page.getByText('Kept as a reflection.')).toBeVisible()
  const [reflection, ...others] = await callApi<Reflection[]>(`/api/keeper/keepers/${id}/reflections`)
  expect(others).toEqual([])
  expect(reflection?.content).toMatch(/^> floats on mercury\n\nChatGPT in \[How the light turns\]\(/)
  expect(reflection?.promotedToMemoryCard).toBe(false)

  await reader.getByRole('listitem').first().getByRole('button', { name: 'Keep this' }).click()
  await page.getByRole('menuitem', { name: 'As a moment of that day' }).click()
  await expect(page.getByText('Kept as a moment.')).toBeVisible()
  await page.goto(`/keeper/${id}/moments`)
  await expect(page.getByText('How does the light of Ada turn so evenly?')).toBeVisible()
  await page.getByRole('link', { name: 'How the light turns' }).click()
  await expect(reader.locator('[aria-current]')).toContainText('How does the light of Ada turn so evenly?')

  await reader.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('The floating lens')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'The floating lens' })).toBeVisible()
  await page.getByRole('article').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No sources yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: /The floating lens/ })).toBeVisible()
  expect(await callApi<Reflection[]>(`/api/keeper/keepers/${id}/reflections`)).toHaveLength(1)
})
