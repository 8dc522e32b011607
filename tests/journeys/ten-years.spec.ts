import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Topic } from '#contract/keepers/topics.ts'
import type { ImportJob } from '#contract/keepers/transfer.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const entryCount = 1030
const dayMs = 24 * 60 * 60 * 1000

/** A Day One diary with one entry per day about the sea. */
async function createDiary(): Promise<Buffer> {
  const zip = new ZipFile()
  const diaryEntries = Array.from({ length: entryCount }, (_, index) => ({
    uuid: `U${index}`,
    creationDate: new Date(Date.UTC(2016, 0, 1, 12) + index * dayMs).toISOString(),
    timeZone: 'UTC',
    text: `Watch ${index + 1}.`,
    tags: ['Sea'],
  }))
  zip.addBuffer(Buffer.from(JSON.stringify({ metadata: { version: '1.0' }, entries: diaryEntries })), 'Journal.json')
  zip.end()
  return buffer(zip.outputStream.pipe(new PassThrough()))
}

test("a topic's entries are listed back to the first day, beyond 1,000 @long", async ({ page, keeper }) => {
  test.slow()
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const callApi = <Data>(path: string, body?: unknown) => keeper.callApi<Data>(`/api/keeper${path}`, body, { token })
  const { id } = await callApi<Keeper>('/keepers', {
    title: 'The Harbour Year',
    purpose: 'p',
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const upload = await page.request.post(`/api/keeper/imports?fileName=diary.zip&keeperId=${id}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/zip' },
    data: await createDiary(),
  })
  const jobId = ((await upload.json()) as { data: ImportJob }).data.id
  const fetchState = async () => (await callApi<ImportJob>(`/imports/${jobId}`)).state
  await expect.poll(fetchState, { timeout: 60_000 }).toBe('previewed')
  await callApi(`/imports/${jobId}/begin`, {})
  await expect.poll(fetchState, { timeout: 60_000 }).toBe('done')
  const [sea] = await callApi<Topic[]>(`/keepers/${id}/topics`)
  expect(sea?.total).toBe(entryCount)

  await page.goto(`/keeper/${id}/topics?topic=${sea?.id}`)
  const topicEntries = page.getByRole('list', { name: 'Mentions of sea' }).getByRole('listitem')
  await expect(topicEntries).toHaveCount(30)
  await expect(topicEntries.first()).toContainText(`Watch ${entryCount}.`)
  const showMoreButton = page.getByRole('button', { name: 'Show more' })
  for (let visibleCount = 60; visibleCount <= entryCount; visibleCount += 30) {
    await showMoreButton.click()
    await expect(topicEntries).toHaveCount(Math.min(visibleCount, entryCount))
  }
  await showMoreButton.click()
  await expect(topicEntries).toHaveCount(entryCount)
  await expect(topicEntries.last()).toContainText('Watch 1.')
  await expect(showMoreButton).toHaveCount(0)
})
