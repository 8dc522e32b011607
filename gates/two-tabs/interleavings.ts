import { areas } from '#contract/index.ts'
import { permissionTable } from '#tests/permission-matrix-table.ts'
import type { World } from '#tests/permission-matrix-world.ts'
import type { AnyEndpoint } from '#web/api-types.ts'
import type { Tab } from './browser-tab.ts'
import type { EditableThing } from './editable-things.ts'

export interface Told {
  words: number
  lost: string[]
  conflicts: number
  /** Conflicts reported without both texts. */
  blind: string[]
  /** Saves of deleted entities; each kept its text in this browser. */
  deleted: number
}

export interface Network {
  away: boolean
}

type Input = { params?: Record<string, string>; body: Record<string, unknown>; ifMatch?: number }

const callOf = (name: string) => {
  const [area = '', call = ''] = name.split('.')
  return (areas as unknown as Record<string, Record<string, AnyEndpoint>>)[area]?.[call] as AnyEndpoint
}

export function random(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 16)) >>> 0) % below
  }
}

interface Current {
  text: string
  rev: number | undefined
}
interface Failure {
  status?: number
  code?: string
  data?: { yours?: Record<string, unknown>; current?: Record<string, unknown> }
}

/** Two tabs and a device of one person each append words to what they see, and save at random times. */
export async function interleave(
  world: World,
  browser: { tabs: Tab[]; network: Network },
  [name, thing]: [string, EditableThing],
  seed: number,
): Promise<Told> {
  const pick = random(seed)
  const told: Told = { words: 0, lost: [], conflicts: 0, blind: [], deleted: 0 }
  const update = callOf(name)
  const sample = await permissionTable[name]?.sample(world)
  if (!sample) throw new Error(`${name} has no sample`)
  const params = sample.params
  const given = sample.body as Record<string, unknown>
  const only = 'id' in given ? { id: given.id } : {}
  const id = params?.id ?? Object.values(params ?? {}).at(-1) ?? String(given.id)
  const ada = await world.app.as('ada')
  const say = (text: string, base: Current): Input => ({
    ...(params && { params }),
    body: { ...only, [thing.field]: text, ...(thing.before && { [thing.before]: base.text }) },
    ...(base.rev !== undefined && { ifMatch: base.rev }),
  })
  const textOf = (shown: Record<string, unknown> | undefined) => String(shown?.[thing.field] ?? '')
  async function look(): Promise<Current | undefined> {
    const late = say(`nobody ${seed}`, { text: `nothing ${seed}`, rev: thing.before ? undefined : 2_000_000_000 })
    const answer = await ada.call(update as never, { ...late } as never)
    if (answer.status === 404) return undefined
    const { current } = (answer.body.data ?? {}) as NonNullable<Failure['data']>
    if (answer.status !== 409 || !current) throw new Error(`${name} does not tell what is saved: ${answer.text}`)
    return { text: textOf(current), rev: thing.before ? undefined : Number(current.rev) }
  }

  const typed = new Set<string>()
  const onServer = new Set<string>()
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => typed.has(word))
  const newWord = (who: string) => {
    const word = `${who}${seed}x${typed.size}`
    typed.add(word)
    return word
  }
  let gone = false

  /** The conflict must contain both texts. */
  function tell(failure: Failure, mine: string): Current | undefined {
    const { yours, current } = failure.data ?? {}
    told.conflicts += 1
    if (!yours || !current || textOf(yours) !== mine)
      told.blind.push(`${name}, seed ${seed}: ${JSON.stringify(failure)}`)
    return current && { text: textOf(current), rev: thing.before ? undefined : Number(current.rev) }
  }
  const together = (mine: string, theirs: string) =>
    [theirs, ...wordsOf(mine).filter((word) => !theirs.includes(word))].join(' ').trim()

  function pageOf(tab: Tab) {
    const draft = new tab.DraftKeeper<Current>(`gate/${name}/${id}`)
    let open: Current | undefined
    return {
      async begin() {
        if (open) return
        const there = browser.network.away ? undefined : await look()
        const waits = tab
          .ownQueue()
          ?.pending()
          .findLast((write) => write.thing === id && write.body?.[thing.field] !== undefined)
        const seen = there ?? first
        open = waits ? { text: textOf(waits.body), rev: waits.ifMatch ?? seen.rev } : seen
        draft.set(open)
      },
      async type() {
        if (!open) return
        open = { ...open, text: `${open.text} ${newWord(tab.name)}`.trim() }
        draft.set(open)
        await draft.flush()
      },
      async save() {
        if (!open) return
        for (let attempt = 0; attempt < 3; attempt++) {
          const text: string = open.text
          try {
            const input = say(text, open) as never
            const kept = { what: 'Thing', keeperId: 'k' }
            const sent = thing.queued ? await tab.sendOrKeep(update, input, kept) : undefined
            if (!thing.queued)
              await (tab.call as (endpoint: AnyEndpoint, input: unknown) => Promise<unknown>)(update, input)
            if (sent?.state !== 'kept') for (const word of wordsOf(text)) onServer.add(word)
            open = undefined
            return draft.letGo()
          } catch (reason) {
            const failure = reason as Failure
            if (failure.status === 404) {
              told.deleted += 1
              return
            }
            if (failure.code !== 'stale') {
              // The page reports that it couldn't be sent; the text stays.
              if (failure.status === undefined || browser.network.away) return
              throw reason
            }
            const current = tell(failure, text)
            // Either resolved now or left for later, in the draft.
            if (!current || pick(3) === 0) return
            open = { ...current, text: together(text, current.text) }
            draft.set(open)
          }
        }
      },
      close: () => draft.close(),
    }
  }

  const before = await look()
  if (!before) throw new Error(`${name}: its sample is missing`)
  const first = before
  const pages = browser.tabs.map(pageOf)
  const device = {
    async change() {
      for (let attempt = 0; attempt < 3; attempt++) {
        const seen = await look()
        if (!seen) return
        const text = `${seen.text} ${newWord('d')}`.trim()
        const answer = await ada.call(update as never, say(text, seen) as never)
        if (answer.status === 200) {
          for (const word of wordsOf(text)) onServer.add(word)
          return
        }
        typed.delete(text.split(' ').at(-1) ?? '')
      }
    },
    async remove() {
      if (!thing.remove || gone) return
      const removal = { ...(params && { params }), ...('id' in only && { body: only }) }
      const answer = await ada.call(callOf(thing.remove) as never, removal as never)
      gone = answer.status === 200
    },
  }

  const steps = 6 + pick(9)
  for (let step = 0; step < steps; step++) {
    const page = pages[pick(pages.length)]
    const deed = pick(20)
    if (deed < 3) await page?.begin()
    else if (deed < 8) await page?.begin().then(() => page.type())
    else if (deed < 12) await page?.save()
    else if (deed < 14) await Promise.all(pages.map((each) => each.begin().then(() => each.type())))
    else if (deed < 15) await Promise.all(pages.map((each) => each.save()))
    else if (deed < 17) await device.change()
    else if (deed < 18) browser.network.away = !browser.network.away
    else if (deed < 19) await Promise.all([device.change(), ...pages.map((each) => each.save())])
    else if (step > 4 && pick(3) === 0) await device.remove()
  }
  browser.network.away = false
  for (const page of pages) await page.save()
  await sendAll()
  for (const page of pages) {
    await page.save()
    await sendAll()
    await page.close()
  }

  const last = await look()
  const queue = browser.tabs[0]?.ownQueue()
  await queue?.load()
  const waiting = (queue?.pending() ?? []).filter((write) => write.thing === id)
  const drafts = queue ? await browser.tabs[0]?.keptDrafts(queue.vault) : undefined
  const mine = [...(drafts?.newest ?? []), ...(drafts?.older ?? [])].filter(({ key }) => key === `gate/${name}/${id}`)
  const held = JSON.stringify([waiting, mine])
  for (const word of typed) {
    told.words += 1
    // Text saved before a deletion is in the bin.
    const saved = last ? last.text.split(/\s+/).includes(word) : onServer.has(word)
    if (!saved && !held.includes(word)) told.lost.push(`${name}, seed ${seed}: ${word}`)
  }
  for (let write = waiting[0]; queue && write; write = queue.pending().find((each) => each.thing === id))
    await queue.throwAway(write).catch(looksAgain)
  for (const record of mine) await queue?.vault.remove('drafts', `${record.key} ${record.page}`)
  return told

  async function sendAll() {
    await Promise.all(browser.tabs.map((tab) => tab.ownQueue()?.flush()))
    await decideWhatWaits(browser.tabs[pick(2)] as Tab)
  }

  async function decideWhatWaits(tab: Tab): Promise<void> {
    for (let round = 0; round < 5; round++) {
      const queue = tab.ownQueue()
      await queue?.load()
      const stale = queue?.pending().find((write) => write.thing === id && write.state === 'stale')
      if (!queue || !stale) return
      const text = textOf(stale.body)
      const current = tell({ data: { yours: stale.yours ?? {}, current: stale.current ?? {} } }, text)
      if (!current) return
      const merged = together(text, current.text)
      const decided = { body: { ...stale.body, [thing.field]: merged }, ifMatch: current.rev as number }
      await queue.decide(stale, decided).catch(looksAgain)
    }
  }
}

/** The other tab wrote concurrently, so the person checks again. */
function looksAgain(reason: Error): void {
  if (!reason.message.includes('Look at it again')) throw reason
}
