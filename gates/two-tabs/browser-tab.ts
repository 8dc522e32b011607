import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../bench/measure.ts'

type SendOrKeep = typeof import('../../web/offline/send-or-keep.ts')
type Api = typeof import('../../web/api.ts')
type Queues = typeof import('../../web/offline/write-queue.ts')
type Drafts = typeof import('../../web/offline/draft-keeper.ts')

export interface Tab {
  name: string
  call: Api['call']
  sendOrKeep: SendOrKeep['sendOrKeep']
  ownQueue: Queues['ownQueue']
  DraftKeeper: Drafts['DraftKeeper']
  keptDrafts: Drafts['keptDrafts']
}

const web = pathToFileURL(join(root, 'web/')).href

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const tab = /\?tab=.*$/.exec(context.parentURL ?? '')?.[0]
    return tab && found.url.startsWith(web) && !found.url.includes('?') ? { ...found, url: found.url + tab } : found
  },
})

let opened = 0

export async function openTab(name: string): Promise<Tab> {
  const tab = `?tab=${name}-${++opened}`
  const load = (path: string) => import(web + path + tab)
  const { sendOrKeep } = (await load('offline/send-or-keep.ts')) as SendOrKeep
  const { call } = (await load('api.ts')) as Api
  const { ownQueue } = (await load('offline/write-queue.ts')) as Queues
  const { DraftKeeper, keptDrafts } = (await load('offline/draft-keeper.ts')) as Drafts
  return { name, call, sendOrKeep, ownQueue, DraftKeeper, keptDrafts }
}

export function beABrowser(signedIn: { token: string; id: string }, send: typeof fetch): void {
  const storage = () => {
    const kept = new Map<string, string>()
    return new Proxy(
      {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
        removeItem: (key: string) => void kept.delete(key),
      },
      { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
    )
  }
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const local = storage()
  local.setItem('keeper_token', signedIn.token)
  local.setItem('keeper_user', JSON.stringify({ id: signedIn.id }))
  define('localStorage', local)
  define('sessionStorage', storage())
  define('fetch', send)
}
