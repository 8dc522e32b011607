import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getReflectionBox } from './locators.ts'
import { killBrowser, openProfileBrowser as openProfile } from './profile-browser.ts'
import { countStoredEntries } from './stored-entries.ts'

const getWaitingNotice = (page: Page) => page.getByText(/^\d+ changes? waiting to be sent/)
const expectedLines =
  /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource|Failed to fetch|Failed to |Unreachable/

const openBrowser = (profile: string, { url }: BuiltKeeper) => openProfile(profile, url, process.env.CHROMIUM)

async function createJournalOfAda(page: Page, built: BuiltKeeper) {
  const { token, user } = await registerAndSignIn(page, built, 'ada')
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const keeper = await built.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  const path = `/api/keeper/keepers/${keeper.id}/reflections`
  return {
    signedIn: { token, user } as SignInResult,
    keeper,
    journal: `/keeper/${keeper.id}/reflection-journal`,
    createReflection: (content: string) => built.callApi<Reflection>(path, { content }, { token }),
    listReflections: () => built.callApi<Reflection[]>(path, undefined, { token }),
  }
}

/** Waits until no more reads are being stored in this browser. */
async function expectReadsStored(page: Page) {
  let previousCount = 0
  const measureGrowth = async () => {
    const count = await countStoredEntries(page, 'reads')
    const difference = count === 0 ? 1 : count - previousCount
    previousCount = count
    return difference
  }
  await expect.poll(measureGrowth).toBe(0)
}

/** Waits until the service worker can start the app offline. */
async function waitForServiceWorker(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 30_000 })
}

/** Creates a reflection with conflicting edits, one offline and one on another device. */
async function createConflictedReflection(page: Page, keeper: BuiltKeeper) {
  const ada = await createJournalOfAda(page, keeper)
  const { id } = await ada.createReflection('The gate shuts at nine.')
  await page.goto(`${ada.journal}?tab=write&reflection=${id}`)
  await expect(getReflectionBox(page)).toHaveValue('The gate shuts at nine.')
  await waitForServiceWorker(page)
  await page.reload()
  await page.context().setOffline(true)
  await getReflectionBox(page).fill('The gate shuts at ten.')
  await expect(getWaitingNotice(page)).toContainText(/^1 change/)
  const concurrentWrite = { token: ada.signedIn.token, method: 'PUT' }
  await keeper.callApi(`/api/keeper/reflections/${id}`, { content: 'The gate weeps at nine.' }, concurrentWrite)
  await page.context().setOffline(false)
  await expect(page.getByText('1 change needs your attention.')).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Review' }).click()
  return { ...ada, id }
}

async function writeNew(page: Page, text: string) {
  await getReflectionBox(page).fill(text)
  await getReflectionBox(page).press('Control+Enter')
  await expect(getReflectionBox(page)).toHaveValue('')
}

async function openJournal(page: Page, journal: string) {
  await page.goto(`${journal}?tab=write`)
  await expect(getReflectionBox(page)).toBeEditable()
}

/** A tenth are edits. `KEEPER_OFFLINE_WRITES` can be larger; quality/offline-writing.ts makes 200. */
const totalWrites = Number(process.env.KEEPER_OFFLINE_WRITES ?? 20)
const editCount = totalWrites / 10
const batchSize = (totalWrites - editCount) / 3

test.describe('without the server', () => {
  let profile: string
  test.beforeEach(() => {
    profile = mkdtempSync(join(tmpdir(), 'keeper-profile-'))
  })
  test.afterEach(() => rmSync(profile, { recursive: true, force: true }))

  test(`${totalWrites} offline writes survive a killed browser and are sent once, in order`, async ({
    keeper,
    watch,
  }) => {
    test.setTimeout(300_000)
    watch.expectLine(expectedLines)
    let { context, page } = await openBrowser(profile, keeper)
    await watch.watchPage(page)
    const ada = await createJournalOfAda(page, keeper)
    const earlyReflections = await Promise.all(
      Array.from({ length: editCount }, (_, n) => ada.createReflection(`Written before, ${n}`)),
    )
    await openJournal(page, ada.journal)
    for (const { id } of earlyReflections) {
      // An entry must have been stored before it can be edited offline.
      const previousCount = await countStoredEntries(page, 'reads')
      await page.goto(`${ada.journal}?reflection=${id}`)
      await expect(page.locator('[data-reading]')).toContainText('Written before')
      await expect.poll(() => countStoredEntries(page, 'reads')).toBeGreaterThan(previousCount)
    }
    await waitForServiceWorker(page)
    await openJournal(page, ada.journal)

    await context.setOffline(true)
    const writtenTexts: string[] = []
    const writeMany = async (count: number) => {
      for (let n = 0; n < count; n++) {
        writtenTexts.push(`Offline ${writtenTexts.length}`)
        await writeNew(page, writtenTexts.at(-1) ?? '')
      }
    }
    await writeMany(batchSize)
    await page.reload()
    await expect(getWaitingNotice(page)).toContainText(new RegExp(`^${batchSize} changes`))
    await writeMany(batchSize)
    for (const [n, { id }] of earlyReflections.entries()) {
      await page.goto(`${ada.journal}?tab=write&reflection=${id}`)
      await expect(getReflectionBox(page)).toHaveValue(`Written before, ${n}`)
      await getReflectionBox(page).fill(`Changed offline, ${n}`)
      await expect(getWaitingNotice(page)).toContainText(new RegExp(`^${2 * batchSize + 1 + n} changes`))
    }
    await openJournal(page, ada.journal)
    await getReflectionBox(page).fill('Half a sentence, and the lights go out')
    await page.waitForTimeout(400)
    await killBrowser(context, profile)

    ;({ context, page } = await openBrowser(profile, keeper))
    await watch.watchPage(page)
    await context.setOffline(true)
    await openJournal(page, ada.journal)
    await expect(getWaitingNotice(page), 'a cold start without a server shows everything').toContainText(
      new RegExp(`^${2 * batchSize + editCount} changes`),
    )
    await expect(getReflectionBox(page)).toHaveValue('Half a sentence, and the lights go out')
    writtenTexts.push('Half a sentence, and the lights go out')
    await getReflectionBox(page).press('Control+Enter')
    await expect(getReflectionBox(page)).toHaveValue('')
    await writeMany(batchSize - 1)
    await expect(getWaitingNotice(page)).toContainText(new RegExp(`^${totalWrites} changes`))
    expect(await ada.listReflections(), 'the server has nothing yet').toHaveLength(editCount)

    await context.setOffline(false)
    await expect(getWaitingNotice(page)).toHaveCount(0, { timeout: 60_000 })
    const savedReflections = (await ada.listReflections()).toSorted((one, other) =>
      one.createdAt < other.createdAt ? -1 : 1,
    )
    expect(
      savedReflections
        .filter(({ id }) => !earlyReflections.some((reflection) => reflection.id === id))
        .map(({ content }) => content),
    ).toEqual(writtenTexts)
    expect(
      savedReflections
        .filter(({ id }) => earlyReflections.some((reflection) => reflection.id === id))
        .map(({ content, rev }) => [content, rev])
        .sort(),
    ).toEqual(earlyReflections.map((_, n) => [`Changed offline, ${n}`, 2]).sort())
    await context.close()
  })

  test('signing out warns about unsent entries and clears the browser @long', async ({ keeper, watch }) => {
    watch.expectLine(expectedLines)
    const { context, page } = await openBrowser(profile, keeper)
    await watch.watchPage(page)
    const ada = await createJournalOfAda(page, keeper)
    const { id } = await ada.createReflection('A canary that was read')
    await page.goto(`${ada.journal}?reflection=${id}`)
    await expect(page.locator('[data-reading]')).toContainText('A canary that was read')
    await waitForServiceWorker(page)
    await openJournal(page, ada.journal)
    await context.setOffline(true)
    await writeNew(page, 'A canary that waits')
    await getReflectionBox(page).fill('A canary in a draft')
    await page.waitForTimeout(400)

    await page.getByRole('button', { name: 'Sign out' }).click()
    const warning = page.getByRole('dialog', { name: 'Sign out and lose unsent changes?' })
    await expect(warning).toContainText('1 change waiting to be sent, 1 unsaved draft')
    await expect(warning).toContainText('A canary that waits')
    await expectNoViolations(page, 'the warning')
    await warning.getByRole('button', { name: 'Send now' }).click()
    await expect(warning).toContainText('Not everything could be sent')
    await warning.getByRole('button', { name: 'Cancel' }).click()
    await expect(getReflectionBox(page)).toHaveValue('A canary in a draft')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await warning.getByRole('button', { name: 'Sign out and lose them' }).click()
    await expect
      .poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
      .toEqual([])
    expect(
      await page.evaluate(() => [localStorage.getItem('keeper_token'), localStorage.getItem('keeper_user')]),
    ).toEqual([null, null])
    await context.close()
    expect(findFilesContaining(profile, 'canary')).toEqual([])
  })

  test('conflicting offline and remote edits are shown and merged', async ({ keeper, watch }) => {
    watch.expectLine(expectedLines)
    const { context, page } = await openBrowser(profile, keeper)
    await watch.watchPage(page)
    const ada = await createConflictedReflection(page, keeper)
    expect((await ada.listReflections())[0]?.content, 'nothing is overwritten').toBe('The gate weeps at nine.')
    const list = page.getByRole('dialog', { name: 'Waiting to be sent' })
    await expect(list).toContainText('Changed elsewhere')
    await expectNoViolations(page, 'pending changes')
    await list.getByRole('button', { name: 'Compare and decide' }).click()
    const mergeDialog = page.getByRole('dialog', { name: 'This reflection was changed elsewhere' })
    await expect(mergeDialog.locator('ins')).toHaveText(['shuts', 'ten'])
    await expect(mergeDialog.locator('del')).toHaveText(['weeps', 'nine'])
    await expectNoViolations(page, 'the two texts')
    const together = mergeDialog.getByRole('textbox', { name: 'Text, together' })
    await mergeDialog.getByRole('button', { name: 'Edit together' }).click()
    await expect(together).toHaveValue('The gate weeps at nine.\nThe gate shuts at ten.')
    await together.fill('The gate weeps at ten.')
    await page.keyboard.press('Escape')
    await expect(mergeDialog).toBeHidden()
    await list.getByRole('button', { name: 'Compare and decide' }).click()
    await expect(together, 'Escape loses nothing').toHaveValue('The gate weeps at ten.')
    await mergeDialog.getByRole('button', { name: 'Save together' }).click()
    await expect(mergeDialog).toBeHidden()
    await expect(list).toContainText('Everything has been sent.')
    expect((await ada.listReflections())[0]).toMatchObject({ content: 'The gate weeps at ten.', rev: 3 })
    await context.close()
  })

  test("another tab's edit during a merge is shown and not lost @long", async ({ keeper, watch }) => {
    watch.expectLine(expectedLines)
    const { context, page } = await openBrowser(profile, keeper)
    await watch.watchPage(page)
    const ada = await createConflictedReflection(page, keeper)
    await page.getByRole('button', { name: 'Compare and decide' }).click()
    const mergeDialog = page.getByRole('dialog', { name: 'This reflection was changed elsewhere' })
    await mergeDialog.getByRole('button', { name: 'Edit together' }).click()
    const together = mergeDialog.getByRole('textbox', { name: 'Text, together' })
    await together.fill('The gate weeps at ten.')
    const otherTab = await context.newPage()
    await otherTab.goto(`${ada.journal}?tab=write&reflection=${ada.id}`)
    await getReflectionBox(otherTab).fill('The gate shuts at ten, with a sigh.')
    await expect(mergeDialog.getByRole('region', { name: 'Text' })).toContainText('with a sigh')
    await expect(together).toHaveValue('The gate weeps at ten.')
    await expect(together).toHaveAccessibleDescription('One of the versions was saved again after you wrote this text.')
    await together.fill('The gate weeps at ten, with a sigh.')
    await mergeDialog.getByRole('button', { name: 'Save together' }).click()
    await expect(mergeDialog).toBeHidden()
    await expect.poll(async () => (await ada.listReflections())[0]?.content).toBe('The gate weeps at ten, with a sigh.')
    await context.close()
  })

  test('stored pages can be read offline with their age @long', async ({ keeper, watch }) => {
    watch.expectLine(expectedLines)
    let { context, page } = await openBrowser(profile, keeper)
    await watch.watchPage(page)
    const ada = await createJournalOfAda(page, keeper)
    const { id } = await ada.createReflection('The ferry was late again.')
    await page.goto('/keeper')
    await expect(page.getByText('The Harbour Year').first()).toBeVisible()
    await expectReadsStored(page)
    await page.goto(`${ada.journal}?reflection=${id}`)
    await expect(page.locator('[data-reading]')).toContainText('The ferry was late again.')
    await expectReadsStored(page)
    await waitForServiceWorker(page)
    await context.close()

    ;({ context, page } = await openBrowser(profile, keeper))
    await watch.watchPage(page)
    await context.setOffline(true)
    await page.goto('/keeper')
    await expect(page.getByText('The Harbour Year').first()).toBeVisible()
    await expect(page.getByText(/The server can’t be reached\. You’re seeing data from \d/)).toBeVisible()
    await page.goto(`${ada.journal}?reflection=${id}`)
    await expect(page.locator('[data-reading]')).toContainText('The ferry was late again.')
    await context.setOffline(false)
    await expect(page.getByText(/The server can’t be reached/)).toHaveCount(0, { timeout: 20_000 })
    await context.close()
  })

  test('Keeper is installable with icons and two shortcuts @long', async ({ keeper, watch }) => {
    const { context, page } = await openBrowser(profile, keeper)
    await watch.watchPage(page)
    await createJournalOfAda(page, keeper)
    await page.goto('/root')
    await waitForServiceWorker(page)
    const protocol = await context.newCDPSession(page)
    expect((await protocol.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
    const { data, errors } = await protocol.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { icons, shortcuts } = JSON.parse(data ?? '{}') as {
      icons: { src: string }[]
      shortcuts: { name: string; url: string }[]
    }
    expect(shortcuts.map(({ name }) => name)).toEqual(['Write a reflection', 'Catch a moment'])
    for (const { src } of icons) expect((await page.request.get(src)).headers()['content-type']).toMatch(/^image\//)
    // Only public assets are cached.
    const cachedPaths = await page.evaluate(async () => {
      const names = await caches.keys()
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    expect(cachedPaths).toContain('/index.html')
    expect(
      cachedPaths.filter(
        (path) => !/^\/(assets\/.*|index\.html|theme\.js|icon\.svg|manifest\.webmanifest)$/.test(path),
      ),
    ).toEqual([])
    await context.close()
  })
})

function findFilesContaining(folder: string, word: string): string[] {
  try {
    return execFileSync('grep', ['-rlia', word, folder], { encoding: 'utf8' }).trim().split('\n')
  } catch (error) {
    // grep exits with 1 when it finds nothing.
    if ((error as { status?: number }).status === 1) return []
    throw error
  }
}
