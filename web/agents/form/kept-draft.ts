import { use } from 'react'
import { DraftKeeper, keptDrafts } from '#web/offline/draft-keeper.ts'
import { onSignedInAgain, ownVaultLater, whoseBrowser, whosePageOrBrowser } from '#web/offline/whose-browser.ts'

/** A draft that survives reloads. */
export interface KeptDraft<Value> {
  read(): Value | undefined
  write(value: Value): void
  clear(): void
}

/** Encrypted drafts of the signed-in user, by user id and name. */
const sealed = new Map<string, DraftKeeper<unknown>>()

/** Limit for opening the store, so that it can't block a page (ms). */
const longestWaitMs = 1000

/** Drafts under `asked/` were already sent, so nothing warns about losing them. */
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
 * Suspends until drafts are decrypted, for components that read one on first render. A top-level await would split
 * every page's bundle.
 */
export function useUnsealedDrafts(): void {
  if (unsealing) use(unsealing)
}

/** Signed out, uses session storage; where that is blocked there is no draft. */
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
