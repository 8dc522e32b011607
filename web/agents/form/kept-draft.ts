import { use } from 'react'
import { DraftKeeper, keptDrafts } from '#web/offline/draft-keeper.ts'
import { onSignedInAgain, ownVaultLater, whoseBrowser, whosePageOrBrowser } from '#web/offline/whose-browser.ts'

/** A place where unsent words wait, which survives a reload. */
export interface KeptDraft<Value> {
  read(): Value | undefined
  write(value: Value): void
  clear(): void
}

/** Of whoever is signed in: sealed in this browser, and gone with their session. By person and name. */
const sealed = new Map<string, DraftKeeper<unknown>>()

/** A vault that cannot be opened must not hold up a page. */
const longestWaitMs = 1000

/** What begins with `asked/` the server has: it is shown again, and nobody is warned of it. */
const placeOf = (name: string) => (name.startsWith('asked/') ? name : `kept/${name}`)

function keeperOf(person: string, name: string): DraftKeeper<unknown> {
  const known = sealed.get(`${person} ${name}`)
  if (known) return known
  const keeper = new DraftKeeper<unknown>(placeOf(name))
  sealed.set(`${person} ${name}`, keeper)
  addEventListener('pagehide', keeper.leave)
  onSignedInAgain(keeper.writeAgain)
  return keeper
}

async function unsealAll(person: string): Promise<void> {
  const vault = await ownVaultLater()
  if (vault?.person !== person) return
  const { newest } = await keptDrafts(vault)
  const names = newest.flatMap(({ key }) => (/^(asked|kept)\//.test(key) ? [key.replace('kept/', '')] : []))
  await Promise.all(names.map((name) => keeperOf(person, name).open()))
}

const whoCame = whoseBrowser()
const unsealing =
  whoCame !== null &&
  Promise.race([
    unsealAll(whoCame).catch(() => undefined),
    new Promise<void>((resolve) => setTimeout(resolve, longestWaitMs)),
  ])

/**
 * For what reads a kept draft as it is first drawn: whoever comes to a page finds their words in it at once, because it is
 * drawn when they are unsealed. Not by an await of the module: the bundler would cut every page into smaller files for it.
 */
export function useUnsealedDrafts(): void {
  if (unsealing) use(unsealing)
}

/** Without anybody signed in it is this tab's memory. Private windows may refuse storage; then there is simply no draft. */
export function keptDraft<Value>(
  name: string,
  isValue: (value: unknown) => value is Value,
  storage: () => Storage = () => sessionStorage,
): KeptDraft<Value> {
  const person = whosePageOrBrowser()
  if (person !== null) {
    const keeper = keeperOf(person, name)
    return {
      read() {
        const { value } = keeper.take()
        return isValue(value) ? value : undefined
      },
      write: (value) => ((value as unknown) === '' ? void keeper.clear() : keeper.set(value)),
      clear: () => void keeper.clear(),
    }
  }
  const key = `keeper-draft-${name}`
  return {
    read() {
      try {
        const value: unknown = JSON.parse(storage().getItem(key) ?? 'null')
        return isValue(value) ? value : undefined
      } catch {
        return undefined
      }
    },
    write(value) {
      try {
        storage().setItem(key, JSON.stringify(value))
      } catch {}
    },
    clear() {
      try {
        storage().removeItem(key)
      } catch {}
    },
  }
}
