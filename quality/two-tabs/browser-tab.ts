import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../bench/measure.ts'
import { createMemoryStorage } from '../../tests/memory-storage.ts'

type SendOrQueue = typeof import('../../web/offline/send-or-queue.ts')
type Api = typeof import('../../web/api/api.ts')
type Queues = typeof import('../../web/offline/write-queue.ts')
type Drafts = typeof import('../../web/offline/use-draft.ts')

export interface Tab {
  name: string
  call: Api['call']
  sendOrQueue: SendOrQueue['sendOrQueue']
  getCurrentQueue: Queues['getCurrentQueue']
  DraftStore: Drafts['DraftStore']
  listDrafts: Drafts['listDrafts']
}

const web = pathToFileURL(join(root, 'web/')).href

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const tab = /\?tab=.*$/.exec(context.parentURL ?? '')?.[0]
    return tab && resolved.url.startsWith(web) && !resolved.url.includes('?')
      ? { ...resolved, url: resolved.url + tab }
      : resolved
  },
})

let openedTabCount = 0

export async function openTab(name: string): Promise<Tab> {
  const tab = `?tab=${name}-${++openedTabCount}`
  const load = (path: string) => import(web + path + tab)
  const { sendOrQueue } = (await load('offline/send-or-queue.ts')) as SendOrQueue
  const { call } = (await load('api/api.ts')) as Api
  const { getCurrentQueue } = (await load('offline/write-queue.ts')) as Queues
  const { DraftStore, listDrafts } = (await load('offline/use-draft.ts')) as Drafts
  return {
    name,
    call,
    sendOrQueue,
    getCurrentQueue,
    DraftStore,
    listDrafts,
  }
}

export function simulateBrowser(signedIn: { token: string; id: string }, send: typeof fetch): void {
  const defineGlobal = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const local = createMemoryStorage()
  local.setItem('keeper_token', signedIn.token)
  local.setItem('keeper_user', JSON.stringify({ id: signedIn.id }))
  defineGlobal('localStorage', local)
  defineGlobal('sessionStorage', createMemoryStorage())
  defineGlobal('fetch', send)
}
