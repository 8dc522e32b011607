import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { ImportJob } from '#contract/keepers/transfer.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { createZip } from '../create-zip.ts'
import { foreignArchives } from '../foreign-archives.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test('archives of nine other apps move in, once, and one moves out again @long', async ({ page, keeper }) => {
  test.setTimeout(180_000)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const cards = page.getByRole('list', { name: 'Imports' }).getByRole('listitem')
  const listMoments = async (keeperId: string) =>
    (await keeper.callApi<{ items: Moment[] }>(`/api/keeper/keepers/${keeperId}/moments`, undefined, { token })).items
  async function chooseArchive(fileName: string, archive: Buffer, keeperTitle: string) {
    await page.getByLabel('Archive').setInputFiles({ name: fileName, mimeType: 'application/zip', buffer: archive })
    const card = cards.filter({ has: page.getByRole('heading', { name: fileName, exact: true }) })
    await expect(card.getByText('Ready to import')).toBeVisible()
    await card.getByRole('combobox', { name: 'Import into' }).selectOption({ label: keeperTitle })
    await expect(card.getByRole('button', { name: /^(?:Import|Dismiss)$/ })).toBeEnabled()
    return card
  }

  await page.goto('/keeper/transfer')
  for (const { app, kind, files, entries } of foreignArchives) {
    const title = `From ${app}`
    const input = { title, purpose: 'p', keeperType: 'journal' }
    const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', input, { token })
    await page.reload()
    const archive = await createZip(files)
    const card = await chooseArchive(`${kind}-${app}.zip`, archive, title)
    await expect(card, `${app} is recognized`).toContainText(app)
    await expect(card).toContainText(pluralize(entries, 'entry', 'entries'))
    await card.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(card.getByText('Done')).toBeVisible()
    const [job] = await keeper.callApi<ImportJob[]>('/api/keeper/imports', undefined, { token })
    const moments = await listMoments(id)
    expect(job, app).toMatchObject({ kind, total: entries, done: entries, preview: { entries, duplicates: 0 } })
    expect(moments, app).toHaveLength(entries)
    expect(moments.flatMap(({ media }) => media)).toHaveLength(
      (job?.preview?.media ?? 0) - (job?.preview?.missingMedia ?? 0),
    )

    const secondImport = await chooseArchive(`${kind}-${app}-again.zip`, archive, title)
    await expect(secondImport).toContainText(
      `${pluralize(entries, 'entry', 'entries')}, ${pluralize(entries, 'duplicate')}`,
    )
    await expect(secondImport).toContainText('Nothing new')
    await secondImport.getByRole('button', { name: 'Dismiss' }).click()
    await expect(secondImport.getByText('Canceled')).toBeVisible()
    expect(await listMoments(id), `${app} again`).toHaveLength(entries)
  }
  await expectNoViolations(page, 'a page of imports')

  const undone = cards.filter({ has: page.getByRole('heading', { name: 'markdown-Obsidian.zip', exact: true }) })
  await undone.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(undone.getByText('Undone')).toBeVisible()
  const keepers = await keeper.callApi<Keeper[]>('/api/keeper/keepers', undefined, { token })
  const counts = await Promise.all(
    keepers.map(async ({ id, title }) => [title, (await listMoments(id)).length] as const),
  )
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(foreignArchives.map(({ app, entries }) => [`From ${app}`, app === 'Obsidian' ? 0 : entries])),
  )
})
