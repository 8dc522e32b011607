import { storageOver } from '#tests/storage-over.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DraftKeeper, type DraftOptions, keptDrafts } from './draft-keeper.ts'
import { destroyVault, ownVault, Vault } from './vault.ts'
import { whatIsKept } from './what-is-kept.ts'
import { VaultClosed } from './whose-browser.ts'

const storage = new Map<string, string>()
const key = 'reflection/new/k'
let person = 0

/** All IndexedDB content as text, to search for plaintext. */
async function onDisk(): Promise<string> {
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

/** A storage with enumerable entries, as in a browser. */
const emptyTab = (): Storage => {
  const tab: Record<string, string> = Object.create({
    getItem: (name: string) => tab[name] ?? null,
    setItem: (name: string, value: string) => Object.assign(tab, { [name]: value }),
    removeItem: (name: string) => delete tab[name],
  })
  return tab as unknown as Storage
}

beforeEach(() => {
  person += 1
  storage.clear()
  storage.set('keeper_token', 't').set('keeper_user', JSON.stringify({ id: `person-${person}` }))
  vi.stubGlobal('localStorage', storageOver(storage))
  vi.stubGlobal('sessionStorage', emptyTab())
})
afterEach(() => destroyVault(`person-${person}`))

/** A draft as in a tab of its own. */
async function page(options?: DraftOptions): Promise<DraftKeeper<string>> {
  const keeper = new DraftKeeper<string>(key, options)
  await keeper.open()
  return keeper
}

describe('a draft', () => {
  it('survives leaving the page, until the server has it', async () => {
    const before = await page()
    expect(before.seen()).toEqual({ held: false, value: undefined, restored: false, ready: true })
    before.set('half a sent')
    before.set('half a sentence')
    await before.close()
    const after = await page()
    expect(after.seen()).toMatchObject({ held: true, value: 'half a sentence', restored: true })
    await after.clear()
    await after.close()
    const last = await page()
    expect(last.seen().held).toBe(false)
    await last.close()
  })

  it('reaches a page that opened while the last write was pending', async () => {
    const before = await page()
    before.set('half')
    await before.flush()
    before.set('half a sentence')
    const closed = before.close()
    const after = await page()
    await closed
    await vi.waitFor(() => expect(after.seen()).toMatchObject({ held: true, value: 'half a sentence' }))
    await after.close()
  })

  it('disappears from the next page when it is sent after leaving', async () => {
    const left = await page()
    left.set('half a sentence')
    await left.close()
    const after = await page()
    expect(after.seen().held).toBe(true)
    await left.clear()
    await vi.waitFor(() => expect(after.seen().held).toBe(false))
    await after.close()
  })

  it('is deleted before the page shows it as saved', async () => {
    const writing = await page()
    writing.set('a sentence')
    await writing.flush()
    const found: Promise<unknown>[] = []
    writing.listen(() => {
      if (!writing.seen().held) found.push(keptDrafts(ownVault() as Vault).then(({ newest }) => newest))
    })
    await writing.letGo()
    expect(await Promise.all(found)).toEqual([[]])
    await writing.close()
  })

  it('is stored automatically within 300 ms', async () => {
    const writing = await page()
    writing.set('typed')
    await new Promise((wait) => setTimeout(wait, 300))
    const { newest } = await keptDrafts(ownVault() as Vault)
    expect(newest.map(({ value }) => value)).toEqual(['typed'])
    await writing.close()
  })

  it('typed just before leaving is restored and encrypted on the next page', async () => {
    const writing = await page()
    vi.spyOn(crypto.subtle, 'encrypt').mockReturnValue(new Promise(() => {}))
    writing.set('half a wo')
    writing.leave()
    vi.restoreAllMocks()
    expect(JSON.stringify({ ...sessionStorage })).toContain('half a wo')
    // Opening the store imports the unload drafts.
    await new Vault(`person-${person}`).all('drafts')
    const next = await page()
    expect(next.seen()).toMatchObject({ held: true, value: 'half a wo', restored: true })
    expect(Object.keys(sessionStorage)).toEqual([])
    await next.clear()
    await next.close()
    const last = await page()
    expect(last.seen().held).toBe(false)
    await last.close()
  })

  it('discarded just before leaving does not come back', async () => {
    const earlier = await page()
    earlier.set('begun in a page before')
    await earlier.close()
    for (const throwAway of ['clear', 'letGo'] as const) {
      const writing = await page()
      expect(writing.seen()).toMatchObject({ held: true, restored: true })
      if (throwAway === 'letGo') {
        writing.set('and gone on with')
        await writing.flush()
      }
      const remove = vi.spyOn(Vault.prototype, 'remove').mockReturnValue(new Promise(() => {}))
      void writing[throwAway]()
      await vi.waitFor(() => expect(remove).toHaveBeenCalled())
      expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/begun in|gone on/)
      expect(await new Vault(`person-${person}`).all('drafts')).toEqual([])
      expect(Object.keys(sessionStorage)).toEqual([])
      remove.mockRestore()
      const next = await page()
      expect(next.seen().held).toBe(false)
      next.set('begun in a page before')
      await next.close()
    }
  })

  it('started while the previous one is being deleted stays', async () => {
    const writing = await page()
    writing.set('first')
    await writing.flush()
    const gone = writing.clear()
    writing.set('second')
    writing.leave()
    await gone
    expect(JSON.stringify({ ...sessionStorage })).toContain('second')
    expect(await new Vault(`person-${person}`).all('drafts')).toMatchObject([{ value: 'second' }])
    await writing.close()
  })

  it('leaves no plaintext once stored, sent, discarded or signed out', async () => {
    const writing = await page()
    writing.set('sealed')
    await writing.flush()
    writing.leave()
    expect(Object.keys(sessionStorage)).toEqual([])
    writing.set('left, and come back to')
    writing.leave()
    expect(Object.keys(sessionStorage)).toHaveLength(1)
    await writing.flush()
    expect(Object.keys(sessionStorage)).toEqual([])
    writing.set('sent')
    const sent = writing.letGo()
    writing.leave()
    await sent
    expect(Object.keys(sessionStorage)).toEqual([])
    writing.set('too late')
    storage.clear()
    writing.leave()
    expect(Object.keys(sessionStorage)).toEqual([])
    await writing.close()
  })

  it('in two tabs is stored twice, the newer one restored first', async () => {
    const one = await page()
    const other = await page()
    other.set('already writing, so that it does not go on from the first')
    await other.flush()
    one.set('of the first tab')
    await one.flush()
    await new Promise((wait) => setTimeout(wait, 5))
    other.set('of the second tab')
    await other.flush()
    const { newest, older } = await keptDrafts(ownVault() as Vault)
    expect(newest.map(({ value }) => value)).toEqual(['of the second tab'])
    expect(older.map(({ value }) => value)).toEqual(['of the first tab'])
    // Sending one draft leaves the other.
    await other.clear()
    expect((await keptDrafts(ownVault() as Vault)).newest.map(({ value }) => value)).toEqual(['of the first tab'])
    await one.close()
    await other.close()
  })

  it('of another tab is untouched by a page that does not follow', async () => {
    const earlier = await page()
    earlier.set('found')
    await earlier.close()
    const reading = await page({ follows: false })
    const following = await page()
    const other = await page()
    other.set('found, and gone on with elsewhere')
    await other.flush()
    await vi.waitFor(() => expect(following.seen().value).toBe('found, and gone on with elsewhere'))
    expect(reading.seen()).toMatchObject({ value: 'found', restored: true })
    reading.set('found, and gone on with here')
    await reading.flush()
    const kept = async () => {
      const { newest, older } = await keptDrafts(ownVault() as Vault)
      return [...newest, ...older].map(({ value }) => value).toSorted()
    }
    expect(await kept()).toEqual(['found, and gone on with elsewhere', 'found, and gone on with here'])
    await reading.clear()
    expect(await kept()).toEqual(['found, and gone on with elsewhere'])
    for (const each of [reading, following, other]) await each.close()
  })

  it('of another tab is untouched after a page took its draft', async () => {
    const earlier = await page()
    earlier.set('found')
    await earlier.close()
    const [taking, following] = [await page(), await page()]
    const tooEarly = new DraftKeeper<string>(key)
    expect(tooEarly.take().held).toBe(false)
    await tooEarly.open()
    expect(taking.take()).toMatchObject({ held: true, value: 'found' })
    following.set('found, and gone on with elsewhere')
    await following.flush()
    const watching = await page()
    expect(watching.seen().value).toBe('found, and gone on with elsewhere')
    for (const each of [taking, tooEarly]) {
      each.set('here')
      await each.flush()
    }
    const { newest, older } = await keptDrafts(ownVault() as Vault)
    expect([...newest, ...older].map(({ value }) => value)).toContain('found, and gone on with elsewhere')
    for (const each of [taking, tooEarly, following, watching]) await each.close()
  })

  it('taken here and sent elsewhere is not taken again', async () => {
    const earlier = await page()
    earlier.set('Is anybody there?')
    await earlier.close()
    const [one, two] = [await page(), await page()]
    expect([one.take().value, two.take().value]).toEqual(['Is anybody there?', 'Is anybody there?'])
    await two.clear()
    await vi.waitFor(() => expect(one.take()).toMatchObject({ held: false }))
    for (const each of [one, two]) await each.close()
  })

  it('is mirrored in an idle tab until it is sent', async () => {
    const writing = await page()
    const looking = await page()
    writing.set('hello')
    await writing.flush()
    await vi.waitFor(() => expect(looking.seen().value).toBe('hello'))
    await writing.clear()
    await vi.waitFor(() => expect(looking.seen().held).toBe(false))
    await writing.close()
    await looking.close()
  })

  it('is stored on disk with encrypted text and hashed key', async () => {
    const writing = await page()
    writing.set('a canary sings')
    await writing.close()
    const disk = await onDisk()
    expect(disk).toContain('sealed')
    expect(disk).not.toContain('canary')
    expect(disk).not.toContain(key)
  })

  it('is restored only for its author', async () => {
    const writing = await page()
    writing.set('mine')
    await writing.close()
    storage.set('keeper_user', JSON.stringify({ id: 'somebody-else' }))
    const theirs = await page()
    expect(theirs.seen().held).toBe(false)
    await theirs.close()
    storage.set('keeper_user', JSON.stringify({ id: `person-${person}` }))
    const again = await page()
    expect(again.seen().value).toBe('mine')
    await again.close()
    await destroyVault('somebody-else')
  })

  it('is deleted at sign-out, and a late tab writes nothing more', async () => {
    const late = await page()
    late.set('too late')
    late.leave()
    const otherTab = new Vault(`person-${person}`)
    await otherTab.put('reads', 'x', 'kept')
    storage.clear()
    await destroyVault(`person-${person}`)
    await late.flush()
    await late.close()
    await expect(otherTab.put('reads', 'y', 'late')).rejects.toBeInstanceOf(VaultClosed)
    expect(Object.keys(sessionStorage)).toEqual([])
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(`keeper-person-${person}`)
  })

  it('stays in memory, reported as such, without IndexedDB', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('refused', 'SecurityError')
      },
    })
    const vault = new Vault(`person-${person}`)
    await vault.put('drafts', 'a', { text: 'still here' })
    expect(vault.lasting).toBe(false)
    expect(await vault.get('drafts', 'a')).toEqual({ text: 'still here' })
    expect(await vault.all('drafts')).toHaveLength(1)
  })

  it('replaces cached reads on a full disk, then falls back to memory', async () => {
    const vault = new Vault(`person-${person}`)
    await vault.put('reads', 'old', 'can be asked for again')
    await vault.put('drafts', 'a', { text: 'first' })
    let room = 0
    const put = IDBObjectStore.prototype.put
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...given
    ) {
      if (room-- <= 0) throw new DOMException('no room', 'QuotaExceededError')
      return put.apply(this, given)
    })
    await vault.put('drafts', 'a', { text: 'second' })
    await vault.put('writes', '1', { text: 'a moment' })
    expect(await vault.all('drafts')).toEqual([{ text: 'second' }])
    expect(await vault.get('drafts', 'a')).toEqual({ text: 'second' })
    expect(await vault.all('writes')).toEqual([{ text: 'a moment' }])
    expect(await vault.all('reads')).toEqual([])
    expect([vault.lasting, whatIsKept().lasting]).toEqual([false, false])
    await vault.remove('writes', '1')
    expect(await vault.all('writes')).toEqual([])
    full.mockRestore()
    await vault.put('drafts', 'a', { text: 'third' })
    expect(await new Vault(`person-${person}`).all('drafts')).toEqual([{ text: 'third' }])
  })
})
