import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { destroyLocalStore, getCurrentStore, getStorageStatus, LocalStore } from './local-store.ts'
import { StoreClosedError } from './signed-in-user.ts'
import { type DraftOptions, DraftStore, listDrafts } from './use-draft.ts'

const storage = new Map<string, string>()
const key = 'reflection/new/k'
let userNumber = 0

/** All IndexedDB content as text, to search for plaintext. */
async function readDisk(): Promise<string> {
  const rows: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
    })
    for (const store of db.objectStoreNames) {
      rows.push(
        ...(await new Promise<unknown[]>((resolve) => {
          const request = db.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => resolve(request.result)
        })),
      )
    }
    db.close()
  }
  return JSON.stringify(rows, (_, value) =>
    value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : value,
  )
}

beforeEach(() => {
  userNumber += 1
  storage.clear()
  storage.set('keeper_token', 't').set('keeper_user', JSON.stringify({ id: `user-${userNumber}` }))
  vi.stubGlobal('localStorage', createMemoryStorage(storage))
  vi.stubGlobal('sessionStorage', createMemoryStorage())
})
const pages: DraftStore<string>[] = []
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close()
  await destroyLocalStore(`user-${userNumber}`)
})

/** Opens the draft as another tab would. */
async function openPage(options?: DraftOptions): Promise<DraftStore<string>> {
  const page = new DraftStore<string>(key, options)
  pages.push(page)
  await page.open()
  return page
}

async function leaveDraft(text: string): Promise<void> {
  const page = await openPage()
  page.set(text)
  await page.close()
}

const listCurrentDrafts = () => listDrafts(getCurrentStore() as LocalStore)

describe('a draft', () => {
  it('survives leaving the page, until the server has it', async () => {
    const firstPage = await openPage()
    expect(firstPage.getSnapshot()).toEqual({ isDrafted: false, value: undefined, restored: false, ready: true })
    firstPage.set('half a sent')
    firstPage.set('half a sentence')
    await firstPage.close()
    const secondPage = await openPage()
    expect(secondPage.getSnapshot()).toMatchObject({ isDrafted: true, value: 'half a sentence', restored: true })
    await secondPage.clear()
    await secondPage.close()
    const last = await openPage()
    expect(last.getSnapshot().isDrafted).toBe(false)
  })

  it('reaches a page that opened while the last write was pending', async () => {
    const firstPage = await openPage()
    firstPage.set('half')
    await firstPage.flush()
    firstPage.set('half a sentence')
    const closed = firstPage.close()
    const secondPage = await openPage()
    await closed
    await vi.waitFor(() =>
      expect(secondPage.getSnapshot()).toMatchObject({ isDrafted: true, value: 'half a sentence' }),
    )
  })

  it('disappears from the next page when it is sent after leaving', async () => {
    const leftPage = await openPage()
    leftPage.set('half a sentence')
    await leftPage.close()
    const secondPage = await openPage()
    expect(secondPage.getSnapshot().isDrafted).toBe(true)
    await leftPage.clear()
    await vi.waitFor(() => expect(secondPage.getSnapshot().isDrafted).toBe(false))
  })

  it('is deleted before the page shows it as saved', async () => {
    const writing = await openPage()
    writing.set('a sentence')
    await writing.flush()
    const savedDrafts: Promise<unknown>[] = []
    writing.subscribe(() => {
      if (!writing.getSnapshot().isDrafted) savedDrafts.push(listCurrentDrafts().then(({ newest }) => newest))
    })
    await writing.release()
    expect(await Promise.all(savedDrafts)).toEqual([[]])
  })

  it('is stored automatically within 300 ms', async () => {
    const writing = await openPage()
    writing.set('typed')
    await new Promise((wait) => setTimeout(wait, 300))
    const { newest } = await listCurrentDrafts()
    expect(newest.map(({ value }) => value)).toEqual(['typed'])
  })

  it('is stored on time after the clock is set back', async () => {
    const writing = await openPage()
    writing.set('half')
    await writing.flush()
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
    writing.set('half a sentence')
    await new Promise((wait) => setTimeout(wait, 300))
    vi.restoreAllMocks()
    const { newest } = await listCurrentDrafts()
    expect(newest.map(({ value }) => value)).toEqual(['half a sentence'])
  })

  it('typed just before leaving is restored and encrypted on the next page', async () => {
    const writing = await openPage()
    vi.spyOn(crypto.subtle, 'encrypt').mockReturnValue(new Promise(() => {}))
    writing.set('half a wo')
    writing.saveOnUnload()
    vi.restoreAllMocks()
    expect(JSON.stringify({ ...sessionStorage })).toContain('half a wo')
    // Opening the store imports the unload drafts.
    await new LocalStore(`user-${userNumber}`).getAll('drafts')
    const next = await openPage()
    expect(next.getSnapshot()).toMatchObject({ isDrafted: true, value: 'half a wo', restored: true })
    expect(Object.keys(sessionStorage)).toEqual([])
    await next.clear()
    await next.close()
    const last = await openPage()
    expect(last.getSnapshot().isDrafted).toBe(false)
  })

  it('discarded just before leaving does not come back', async () => {
    await leaveDraft('started on an earlier page')
    for (const method of ['clear', 'release'] as const) {
      const writing = await openPage()
      expect(writing.getSnapshot()).toMatchObject({ isDrafted: true, restored: true })
      if (method === 'release') {
        writing.set('and continued')
        await writing.flush()
      }
      const remove = vi.spyOn(LocalStore.prototype, 'remove').mockReturnValue(new Promise(() => {}))
      void writing[method]()
      await vi.waitFor(() => expect(remove).toHaveBeenCalled())
      expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/started on|continued/)
      expect(await new LocalStore(`user-${userNumber}`).getAll('drafts')).toEqual([])
      expect(Object.keys(sessionStorage)).toEqual([])
      remove.mockRestore()
      const next = await openPage()
      expect(next.getSnapshot().isDrafted).toBe(false)
      next.set('started on an earlier page')
      await next.close()
    }
    // Their deletions never finish.
    pages.splice(0)
  })

  it('started while the previous one is being deleted stays', async () => {
    const writing = await openPage()
    writing.set('first')
    await writing.flush()
    const cleared = writing.clear()
    writing.set('second')
    writing.saveOnUnload()
    await cleared
    expect(JSON.stringify({ ...sessionStorage })).toContain('second')
    expect(await new LocalStore(`user-${userNumber}`).getAll('drafts')).toMatchObject([{ value: 'second' }])
  })

  it('leaves no plaintext once stored, sent, discarded or signed out', async () => {
    const writing = await openPage()
    writing.set('sealed')
    await writing.flush()
    writing.saveOnUnload()
    expect(Object.keys(sessionStorage)).toEqual([])
    writing.set('left, and returned to')
    writing.saveOnUnload()
    expect(Object.keys(sessionStorage)).toHaveLength(1)
    await writing.flush()
    expect(Object.keys(sessionStorage)).toEqual([])
    writing.set('sent')
    const sent = writing.release()
    writing.saveOnUnload()
    await sent
    expect(Object.keys(sessionStorage)).toEqual([])
    writing.set('too late')
    storage.clear()
    writing.saveOnUnload()
    expect(Object.keys(sessionStorage)).toEqual([])
  })

  it('in two tabs is stored twice, and the newer one is listed first', async () => {
    const one = await openPage()
    const other = await openPage()
    other.set('already writing, so that it does not continue the first')
    await other.flush()
    one.set('of the first tab')
    await one.flush()
    await new Promise((wait) => setTimeout(wait, 5))
    other.set('of the second tab')
    await other.flush()
    const { newest, older } = await listCurrentDrafts()
    expect(newest.map(({ value }) => value)).toEqual(['of the second tab'])
    expect(older.map(({ value }) => value)).toEqual(['of the first tab'])
    // Sending one draft leaves the other.
    await other.clear()
    expect((await listCurrentDrafts()).newest.map(({ value }) => value)).toEqual(['of the first tab'])
  })

  it('of another tab is untouched by a page that doesn’t follow it', async () => {
    await leaveDraft('found')
    const reading = await openPage({ followsOtherTabs: false })
    const following = await openPage()
    const other = await openPage()
    other.set('found, and continued in another tab')
    await other.flush()
    await vi.waitFor(() => expect(following.getSnapshot().value).toBe('found, and continued in another tab'))
    expect(reading.getSnapshot()).toMatchObject({ value: 'found', restored: true })
    reading.set('found, and continued here')
    await reading.flush()
    const listValues = async () => {
      const { newest, older } = await listCurrentDrafts()
      return [...newest, ...older].map(({ value }) => value).toSorted()
    }
    expect(await listValues()).toEqual(['found, and continued here', 'found, and continued in another tab'])
    await reading.clear()
    expect(await listValues()).toEqual(['found, and continued in another tab'])
  })

  it('of another tab is untouched after this page took a snapshot', async () => {
    await leaveDraft('found')
    const [current, following] = [await openPage(), await openPage()]
    const openedLater = new DraftStore<string>(key)
    expect(openedLater.takeSnapshot().isDrafted).toBe(false)
    await openedLater.open()
    expect(current.takeSnapshot()).toMatchObject({ isDrafted: true, value: 'found' })
    following.set('found, and continued in another tab')
    await following.flush()
    const watching = await openPage()
    expect(watching.getSnapshot().value).toBe('found, and continued in another tab')
    for (const draftPage of [current, openedLater]) {
      draftPage.set('here')
      await draftPage.flush()
    }
    const { newest, older } = await listCurrentDrafts()
    expect([...newest, ...older].map(({ value }) => value)).toContain('found, and continued in another tab')
  })

  it('sent by another tab is not taken again here', async () => {
    await leaveDraft('Is anybody there?')
    const [one, two] = [await openPage(), await openPage()]
    for (const page of [one, two]) expect(page.takeSnapshot().value).toBe('Is anybody there?')
    await two.clear()
    await vi.waitFor(() => expect(one.takeSnapshot()).toMatchObject({ isDrafted: false }))
  })

  it('is mirrored in an idle tab until it is sent', async () => {
    const writing = await openPage()
    const idle = await openPage()
    writing.set('hello')
    await writing.flush()
    await vi.waitFor(() => expect(idle.getSnapshot().value).toBe('hello'))
    await writing.clear()
    await vi.waitFor(() => expect(idle.getSnapshot().isDrafted).toBe(false))
  })

  it('is stored on disk with encrypted text and hashed key', async () => {
    const writing = await openPage()
    writing.set('a canary sings')
    await writing.close()
    const disk = await readDisk()
    expect(disk).toContain('sealed')
    expect(disk).not.toContain('canary')
    expect(disk).not.toContain(key)
  })

  it('is restored only for its author', async () => {
    const writing = await openPage()
    writing.set('mine')
    await writing.close()
    storage.set('keeper_user', JSON.stringify({ id: 'somebody-else' }))
    const otherDraft = await openPage()
    expect(otherDraft.getSnapshot().isDrafted).toBe(false)
    await otherDraft.close()
    storage.set('keeper_user', JSON.stringify({ id: `user-${userNumber}` }))
    const restoredDraft = await openPage()
    expect(restoredDraft.getSnapshot().value).toBe('mine')
    await restoredDraft.close()
    await destroyLocalStore('somebody-else')
  })

  it('is deleted at sign-out, and a late tab writes nothing more', async () => {
    const latePage = await openPage()
    latePage.set('too late')
    latePage.saveOnUnload()
    const otherTab = new LocalStore(`user-${userNumber}`)
    await otherTab.put('reads', 'x', 'kept')
    storage.clear()
    await destroyLocalStore(`user-${userNumber}`)
    await latePage.flush()
    await latePage.close()
    await expect(otherTab.put('reads', 'y', 'late')).rejects.toBeInstanceOf(StoreClosedError)
    expect(Object.keys(sessionStorage)).toEqual([])
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(`keeper-user-${userNumber}`)
  })

  it('stays in memory, reported as such, without IndexedDB', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('refused', 'SecurityError')
      },
    })
    const store = new LocalStore(`user-${userNumber}`)
    await store.put('drafts', 'a', { text: 'still here' })
    expect(store.isPersistent).toBe(false)
    expect(await store.get('drafts', 'a')).toEqual({ text: 'still here' })
    expect(await store.getAll('drafts')).toHaveLength(1)
  })

  it('replaces cached reads on a full disk, then falls back to memory', async () => {
    const store = new LocalStore(`user-${userNumber}`)
    await store.put('reads', 'old', 'can be asked for again')
    await store.put('drafts', 'a', { text: 'first' })
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    await store.put('drafts', 'a', { text: 'second' })
    await store.put('writes', '1', { text: 'a moment' })
    expect(await store.getAll('drafts')).toEqual([{ text: 'second' }])
    expect(await store.get('drafts', 'a')).toEqual({ text: 'second' })
    expect(await store.getAll('writes')).toEqual([{ text: 'a moment' }])
    expect(await store.getAll('reads')).toEqual([])
    expect(store.isPersistent).toBe(false)
    expect(getStorageStatus().isPersistent).toBe(false)
    await store.remove('writes', '1')
    expect(await store.getAll('writes')).toEqual([])
    full.mockRestore()
    await store.put('drafts', 'a', { text: 'third' })
    expect(await new LocalStore(`user-${userNumber}`).getAll('drafts')).toEqual([{ text: 'third' }])
  })
})
