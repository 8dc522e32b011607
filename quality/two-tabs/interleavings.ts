import { areas } from '../../contract/index.ts'
import { permissionTable } from '../../tests/permission-matrix-table.ts'
import type { PermissionWorld } from '../../tests/permission-matrix-world.ts'
import type { AnyEndpoint } from '../../web/api/api-types.ts'
import type { Tab } from './browser-tab.ts'
import type { EditableEntity } from './editable-entities.ts'

export interface InterleavingOutcome {
  words: number
  lost: string[]
  conflicts: number
  /** Conflicts in which the app didn't report both texts. */
  conflictsWithoutTexts: string[]
  /** Saves of deleted entities, whose text stayed in this browser. */
  deleted: number
}

export interface Network {
  offline: boolean
}

type UpdateInput = { params?: Record<string, string>; body: Record<string, unknown>; ifMatch?: number }

const findCall = (name: string) => {
  const [area = '', call = ''] = name.split('.')
  return (areas as unknown as Record<string, Record<string, AnyEndpoint>>)[area]?.[call] as AnyEndpoint
}

export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 16)) >>> 0) % below
  }
}

const impossibleRev = 2_000_000_000

interface SavedState {
  text: string
  rev: number | undefined
}
interface CallFailure {
  status?: number
  code?: string
  data?: { yours?: Record<string, unknown>; current?: Record<string, unknown> }
}

export async function interleave(
  world: PermissionWorld,
  browser: { tabs: Tab[]; network: Network },
  [name, entity]: [string, EditableEntity],
  seed: number,
): Promise<InterleavingOutcome> {
  const pick = createRandom(seed)
  const outcome: InterleavingOutcome = { words: 0, lost: [], conflicts: 0, conflictsWithoutTexts: [], deleted: 0 }
  const update = findCall(name)
  const sample = await permissionTable[name]?.sample(world)
  if (!sample) throw new Error(`${name} has no sample`)
  const params = sample.params
  const sampleBody = sample.body as Record<string, unknown>
  const idField = 'id' in sampleBody ? { id: sampleBody.id } : {}
  const id = getEntityId(params, sampleBody)
  const ada = await world.app.as('ada')
  const buildInput = (text: string, base: SavedState): UpdateInput => ({
    ...(params && { params }),
    body: { ...idField, [entity.field]: text, ...(entity.previousField && { [entity.previousField]: base.text }) },
    ...(base.rev !== undefined && { ifMatch: base.rev }),
  })
  const getText = (fields: Record<string, unknown> | undefined) => String(fields?.[entity.field] ?? '')
  /** Sends an update that must conflict, because the 409 has the saved version of every kind of entity. */
  async function readSaved(): Promise<SavedState | undefined> {
    const base = { text: `nothing ${seed}`, rev: entity.previousField ? undefined : impossibleRev }
    const answer = await ada.call(update as never, buildInput(`nobody ${seed}`, base) as never)
    if (answer.status === 404) return undefined
    const { current } = (answer.body.data ?? {}) as NonNullable<CallFailure['data']>
    if (answer.status !== 409 || !current) throw new Error(`${name} doesn’t return the saved version: ${answer.text}`)
    return { text: getText(current), rev: entity.previousField ? undefined : Number(current.rev) }
  }

  const typedWords = new Set<string>()
  const savedWords = new Set<string>()
  const getTypedWords = (text: string) => text.split(/\s+/).filter((word) => typedWords.has(word))
  const createWord = (writer: string) => {
    const word = `${writer.slice(0, 1)}${seed.toString(36)}x${typedWords.size}`
    typedWords.add(word)
    return word
  }
  let isDeleted = false

  function recordConflict(failure: CallFailure, localText: string): SavedState | undefined {
    const { yours, current } = failure.data ?? {}
    outcome.conflicts += 1
    if (!yours || !current || getText(yours) !== localText)
      outcome.conflictsWithoutTexts.push(`${name}, seed ${seed}: ${JSON.stringify(failure)}`)
    return current && { text: getText(current), rev: entity.previousField ? undefined : Number(current.rev) }
  }
  const mergeTexts = (localText: string, serverText: string) =>
    [serverText, ...getTypedWords(localText).filter((word) => !serverText.includes(word))].join(' ').trim()

  function createPage(tab: Tab, initialState: SavedState) {
    const draft = new tab.DraftStore<SavedState>(`gate/${name}/${id}`)
    let openState: SavedState | undefined
    return {
      async open() {
        if (openState) return
        const savedState = browser.network.offline ? undefined : await readSaved()
        const queuedWrite = tab
          .getCurrentQueue()
          ?.getWrites()
          .findLast(({ thing: entityId, body }) => entityId === id && body?.[entity.field] !== undefined)
        const visibleState = savedState ?? initialState
        openState = queuedWrite
          ? { text: getText(queuedWrite.body), rev: queuedWrite.ifMatch ?? visibleState.rev }
          : visibleState
        draft.set(openState)
      },
      async type() {
        if (!openState) return
        openState = { ...openState, text: `${openState.text} ${createWord(tab.name)}`.trim() }
        draft.set(openState)
        await draft.flush()
      },
      async save() {
        if (!openState) return
        for (let attempt = 0; attempt < 3; attempt++) {
          const text: string = openState.text
          try {
            const input = buildInput(text, openState) as never
            const queueEntry = { what: 'Entity', keeperId: 'k' }
            const sent = entity.queued ? await tab.sendOrQueue(update, input, queueEntry) : undefined
            if (!entity.queued)
              await (tab.call as (endpoint: AnyEndpoint, input: unknown) => Promise<unknown>)(update, input)
            if (sent?.state !== 'queued') for (const word of getTypedWords(text)) savedWords.add(word)
            openState = undefined
            return draft.release()
          } catch (reason) {
            const failure = reason as CallFailure
            if (failure.status === 404) {
              outcome.deleted += 1
              return
            }
            if (failure.code !== 'stale') {
              // The page reports the failed save and keeps the text.
              if (failure.status === undefined || browser.network.offline) return
              throw reason
            }
            const current = recordConflict(failure, text)
            if (!current || pick(3) === 0) return
            openState = { ...current, text: mergeTexts(text, current.text) }
            draft.set(openState)
          }
        }
      },
      close: () => draft.close(),
    }
  }

  const initialState = await readSaved()
  if (!initialState) throw new Error(`${name}: its sample is missing`)
  const pages = browser.tabs.map((tab) => createPage(tab, initialState))
  const otherDevice = {
    async change() {
      for (let attempt = 0; attempt < 3; attempt++) {
        const visibleState = await readSaved()
        if (!visibleState) return
        const word = createWord('d')
        const text = `${visibleState.text} ${word}`.trim()
        const answer = await ada.call(update as never, buildInput(text, visibleState) as never)
        if (answer.status === 200) {
          for (const savedWord of getTypedWords(text)) savedWords.add(savedWord)
          return
        }
        typedWords.delete(word)
      }
    },
    async remove() {
      if (!entity.removeEndpoint || isDeleted) return
      const removal = { ...(params && { params }), ...('id' in idField && { body: idField }) }
      const answer = await ada.call(findCall(entity.removeEndpoint) as never, removal as never)
      isDeleted = answer.status === 200
    },
  }

  const stepCount = 6 + pick(9)
  for (let step = 0; step < stepCount; step++) {
    const page = pages[pick(pages.length)]
    const actionNumber = pick(20)
    if (actionNumber < 3) await page?.open()
    else if (actionNumber < 8) await page?.open().then(() => page.type())
    else if (actionNumber < 12) await page?.save()
    else if (actionNumber < 14) await Promise.all(pages.map((item) => item.open().then(() => item.type())))
    else if (actionNumber < 15) await Promise.all(pages.map((item) => item.save()))
    else if (actionNumber < 17) await otherDevice.change()
    else if (actionNumber < 18) browser.network.offline = !browser.network.offline
    else if (actionNumber < 19) await Promise.all([otherDevice.change(), ...pages.map((item) => item.save())])
    else if (step > 4 && pick(3) === 0) await otherDevice.remove()
  }
  browser.network.offline = false
  for (const page of pages) await page.save()
  await sendAll()
  // The first saves can stop at a conflict; the second ones try again.
  for (const page of pages) {
    await page.save()
    await sendAll()
    await page.close()
  }

  const finalState = await readSaved()
  const queue = browser.tabs[0]?.getCurrentQueue()
  await queue?.load()
  const pendingWrites = (queue?.getWrites() ?? []).filter(({ thing: entityId }) => entityId === id)
  const storedDrafts = queue ? await browser.tabs[0]?.listDrafts(queue.store) : undefined
  const drafts = [...(storedDrafts?.newest ?? []), ...(storedDrafts?.older ?? [])].filter(
    ({ key }) => key === `gate/${name}/${id}`,
  )
  const localState = JSON.stringify([pendingWrites, drafts])
  for (const word of typedWords) {
    outcome.words += 1
    // A deleted entity keeps its saved text in the trash.
    const isSaved = finalState ? finalState.text.split(/\s+/).includes(word) : savedWords.has(word)
    if (!isSaved && !localState.includes(word)) outcome.lost.push(`${name}, seed ${seed}: ${word}`)
  }
  let [write] = pendingWrites
  while (queue && write) {
    await queue.discard(write).catch(ignoreConflict)
    write = queue.getWrites().find(({ thing: entityId }) => entityId === id)
  }
  for (const record of drafts) await queue?.store.remove('drafts', `${record.key} ${record.page}`)
  return outcome

  async function sendAll() {
    await Promise.all(browser.tabs.map((tab) => tab.getCurrentQueue()?.flush()))
    await resolveConflicts(browser.tabs[pick(2)] as Tab)
  }

  async function resolveConflicts(tab: Tab): Promise<void> {
    for (let round = 0; round < 5; round++) {
      const queue = tab.getCurrentQueue()
      await queue?.load()
      const stale = queue?.getWrites().find(({ thing: entityId, state }) => entityId === id && state === 'stale')
      if (!queue || !stale) return
      const text = getText(stale.body)
      const current = recordConflict({ data: { yours: stale.yours ?? {}, current: stale.current ?? {} } }, text)
      if (!current) return
      const merged = mergeTexts(text, current.text)
      const resolution = { body: { ...stale.body, [entity.field]: merged }, ifMatch: current.rev as number }
      await queue.requeueResolved(stale, resolution).catch(ignoreConflict)
    }
  }
}

/** Path parameters before the last one name the entity's owners. */
const getEntityId = (params: Record<string, string> | undefined, body: Record<string, unknown>): string =>
  params?.id ?? Object.values(params ?? {}).at(-1) ?? String(body.id)

/** The other tab saved concurrently, so the person must review the conflict again. */
function ignoreConflict(reason: Error): void {
  if (!reason.message.includes('Review it again')) throw reason
}
