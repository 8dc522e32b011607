import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Topic } from '#contract/keepers/topics.ts'
import type { ImportJob } from '#contract/keepers/transfer.ts'
import { arrive, expect, test } from './fixtures.ts'

const entries = 1030
const dayMs = 24 * 60 * 60 * 1000

/** A Day One diary with one entry per day about the sea. */
async function diary(): Promise<Buffer> {
  const zip = new ZipFile()
  const said = Array.from({ length: entries }, (_, at) => ({
    uuid: `U${at}`,
    creationDate: new Date(Date.UTC(2016, 0, 1, 12) + at * dayMs).toISOString(),
    timeZone: 'UTC',
    text: `Watch ${at + 1}.`,
    tags: ['Sea'],
  }))
  zip.addBuffer(Buffer.from(JSON.stringify({ metadata: { version: '1.0' }, entries: said })), 'Journal.json')
  zip.end()
  return buffer(zip.outputStream.pipe(new PassThrough()))
}

test("a topic's entries are listed back to the first day, beyond 1,000 @at-length", async ({
  page,
  keeper,
}) => {
  test.slow()
  const { token } = await arrive(page, keeper, 'ada')
  const ask = <Data>(path: string, body?: unknown) => keeper.ask<Data>(`/api/keeper${path}`, body, { token })
  const { id } = await ask<Keeper>('/keepers', {
    title: 'The Harbour Year',
    purpose: 'p',
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const upload = await page.request.post(`/api/keeper/imports?fileName=diary.zip&keeperId=${id}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/zip' },
    data: await diary(),
  })
  const jobId = ((await upload.json()) as { data: ImportJob }).data.id
  const state = async () => (await ask<ImportJob>(`/imports/${jobId}`)).state
  await expect.poll(state, { timeout: 60_000 }).toBe('previewed')
  await ask(`/imports/${jobId}/begin`, {})
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  const [sea] = await ask<Topic[]>(`/keepers/${id}/topics`)
  expect(sea?.total).toBe(entries)

  await page.goto(`/keeper/${id}/topics?topic=${sea?.id}`)
  const said = page.getByRole('list', { name: 'Mentions of sea' }).getByRole('listitem')
  await expect(said).toHaveCount(30)
  await expect(said.first()).toContainText(`Watch ${entries}.`)
  const more = page.getByRole('button', { name: 'Show more' })
  for (let shown = 60; shown <= entries; shown += 30) {
    await more.click()
    await expect(said).toHaveCount(Math.min(shown, entries))
  }
  await more.click()
  await expect(said).toHaveCount(entries)
  await expect(said.last()).toContainText('Watch 1.')
  await expect(more).toHaveCount(0)
})
