import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

async function createZip(name: string, content: object): Promise<Buffer> {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(JSON.stringify(content)), name)
  zip.end()
  return buffer(zip.outputStream.pipe(new PassThrough()))
}

function createDayOneExport(): Promise<Buffer> {
  const entries = [
    { uuid: 'U1', creationDate: '2019-03-02T23:30:00Z', timeZone: 'Asia/Tokyo', text: 'Snow in Ueno.', tags: ['Snow'] },
    { uuid: 'U2', creationDate: '2020-03-02T08:00:00Z', text: 'The plum is out.', photos: [{ md5: 'a'.repeat(32) }] },
  ]
  return createZip('Journal.json', { metadata: { version: '1.0' }, entries })
}

/** A keeper whose reflections have no text. */
function createEmptiedArchive(count: number): Promise<Buffer> {
  const times = { createdAt: '2026-01-02T03:04:05.000Z', updatedAt: '2026-01-02T03:04:05.000Z' }
  const keeper = {
    id: 'k',
    title: 'Emptied',
    purpose: '',
    keeperType: 'journal',
    memoryPattern: 'SOLE',
    theme: 'keeper-classic',
    isPublic: false,
    ...times,
    reflections: Array.from({ length: count }, (_, n) => ({ id: `r${n}`, source: null, ...times })),
  }
  return createZip('keeper.json', { format: 'keeper', version: 1, exportedAt: times.createdAt, keepers: [keeper] })
}

test('a keeper is exported and imported again, and Day One is previewed', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'wellness' }
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  await keeper.callApi(`/api/keeper/keepers/${id}/moments`, { body: 'First frost.', topics: ['Mornings'] }, { token })
  await page.goto('/keeper')
  await page.getByRole('link', { name: 'Export and import' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Export and import' })).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export The Harbour Year' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('the-harbour-year.zip')
  await expect(page.getByRole('status').filter({ hasText: 'is in your downloads.' })).toBeVisible()
  const archive = await readFile(await file.path())

  await page.getByLabel('Archive').setInputFiles({ name: 'harbour.zip', mimeType: 'application/zip', buffer: archive })
  const imports = page.getByRole('list', { name: 'Imports' })
  await expect(imports.getByText('Ready to import')).toBeVisible()
  await expect(imports.getByText('1 entry')).toBeVisible()
  await expectNoViolations(page, 'a pending import')
  await imports.getByRole('button', { name: 'Import' }).click()
  await expect(imports.getByText('Done')).toBeVisible()
  await imports.getByRole('link', { name: 'Open the keeper' }).click()
  await expect(page.getByText('First frost.')).toBeVisible()
  expect(page.url(), 'a new keeper').not.toContain(id)

  await page.goto('/keeper/transfer')
  const chooser = page.getByLabel('Archive')
  await chooser.setInputFiles({ name: 'dayone.zip', mimeType: 'application/zip', buffer: await createDayOneExport() })
  const card = imports.getByRole('listitem').filter({ hasText: 'dayone.zip' })
  await expect(card).toContainText('2 entries, 1 file, 1 file is missing from the archive')
  await expect(card.getByRole('button', { name: 'Import' }), 'a target keeper is required').toBeDisabled()
  await card.getByRole('combobox', { name: 'Import into' }).selectOption({ index: 1 })
  await card.getByRole('button', { name: 'Import' }).click()
  await expect(card.getByText('Done')).toBeVisible()
  // Duplicates are shown once a target keeper is selected.
  await chooser.setInputFiles({ name: 'again.zip', mimeType: 'application/zip', buffer: await createDayOneExport() })
  const secondImport = imports.getByRole('listitem').filter({ hasText: 'again.zip' })
  await secondImport.getByRole('combobox', { name: 'Import into' }).selectOption({ index: 1 })
  await expect(secondImport).toContainText('2 entries, 2 duplicates skipped')
  await secondImport.getByRole('button', { name: 'Dismiss' }).click()
  await chooser.setInputFiles({
    name: 'emptied.zip',
    mimeType: 'application/zip',
    buffer: await createEmptiedArchive(30),
  })
  const importNotes = imports.getByRole('listitem').filter({ hasText: 'emptied.zip' }).getByRole('listitem')
  await expect(importNotes.last()).toHaveText('30 entries are empty and are left out: Emptied, 2026-01-02; 29 more.')
  await card.getByRole('link', { name: 'Open the keeper' }).click()
  await expect(page.getByText('The plum is out.')).toBeVisible()
  await page.goBack()
  await card.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(card.getByText('Undone')).toBeVisible()
  await page.goForward()
  await expect(page.getByText('First frost.')).toBeVisible()
  await expect(page.getByText('The plum is out.')).toHaveCount(0)
})

test('invalid archives are refused, and no import waits @long', async ({ page, keeper, watch }) => {
  await registerAndSignIn(page, keeper, 'ben')
  await page.goto('/keeper/transfer')
  watch.expectLine(/422/)
  const choose = (content: string) =>
    page
      .getByLabel('Archive')
      .setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from(content) })
  await choose('')
  await expect(page.getByRole('alert')).toHaveText(/x\.zip is empty/)
  await choose('hello')
  await expect(page.getByRole('alert').filter({ hasText: 'isn’t a zip file' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Imports' })).toBeHidden()
})
