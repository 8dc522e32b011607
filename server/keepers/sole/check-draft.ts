import type * as z from 'zod/mini'
import type { NewStatement, newDraft, SoleSource, SoleStatement } from '#contract/keepers/sole.ts'
import {
  isSameSubject,
  normalisedStatement,
  readSubject,
  sentencesOf,
  sharesSubject,
} from '#contract/keepers/sole-statements.ts'
import { Problem } from '#server/http/problem.ts'
import { removeInvisible } from '#server/models/data-in-prompts.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type QuotableSource, quotableSources, sourceName } from './quotable-sources.ts'
import { findVersion } from './sole-versions.ts'

export type NewDraft = z.output<typeof newDraft>

export interface CheckedDraft {
  type: string
  content: string
  statements: SoleStatement[]
  basedOn: number | null
}

const mostStatements = 200
const mostSources = 10
const longestStatement = 2000
const tooManyStatements = `A SOLE has at most ${mostStatements} statements.`

/**
 * Resolves each statement against the active version, verifies quotes letter by letter, removes duplicates and keeps
 * unmentioned statements.
 * @throws Problem 422 that names the statement, and the quote if one is wrong
 */
export async function checkDraft(
  services: Services,
  keeper: KeeperRow,
  given: NewDraft,
  author: 'person' | 'agent',
): Promise<CheckedDraft> {
  const version = await findVersion(services, keeper.id, 'active')
  const active = version?.statements ?? []
  const wanted = given.statements ?? fromContent(given.content ?? '', active)
  if (wanted.length === 0) throw refused('Write at least one statement.')
  const approved = readApproved(active)
  const placed = wanted.map((statement, index) => place(statement, index, approved, author))
  refuseTwice(placed)
  if (author === 'agent') refuseUnfounded(placed)
  const times = await checkQuotes(services, keeper, placed)
  const statements = complete(services, placed, active, times)
  if (statements.length > mostStatements) throw refused(tooManyStatements)
  if (statements.every(({ kind }) => kind === 'keep'))
    throw refused('The draft changes nothing: all of its statements are already approved.')
  return {
    type: given.type || 'narrative',
    content: contentOf(statements, given.content),
    statements,
    basedOn: version?.version ?? null,
  }
}

/** The author's own text where it says the same as the statements, else the statements joined. */
export function contentOf(statements: readonly SoleStatement[], given?: string): string {
  const said = statements.filter(({ kind }) => kind !== 'drop').map(({ text }) => text)
  const same = given !== undefined && normalisedStatement(given) === normalisedStatement(said.join(' '))
  return same ? given : said.join(' ')
}

type Placed = Pick<SoleStatement, 'text' | 'kind' | 'replacesId' | 'sources'> & {
  id: string | undefined
  index: number
}

/** One statement per sentence of a plain text. Missing sentences are dropped, similar ones changed. */
function fromContent(content: string, active: readonly SoleStatement[]): NewStatement[] {
  const said = new Set(active.map(({ text }) => normalisedStatement(text)))
  const sentences = new Map<string, string>()
  for (const sentence of sentencesOf(content)) {
    const words = normalisedStatement(sentence)
    if (!sentences.has(words)) sentences.set(words, sentence)
  }
  // Checked first, because the comparison below is quadratic.
  if (sentences.size > mostStatements) throw refused(tooManyStatements)
  const gone = active
    .filter(({ text }) => !sentences.has(normalisedStatement(text)))
    .map(({ id, text }) => ({ id, text, subject: readSubject(text) }))
  const statements = [...sentences].map(([words, text]): NewStatement => {
    if (text.length > longestStatement)
      throw refused(`A statement has at most 2,000 characters; ${shown(text)} is longer. Break it up.`)
    if (said.has(words)) return { text }
    const subject = readSubject(text)
    const at = gone.findIndex((old) => isSameSubject(old.subject, subject))
    const [old] = at < 0 ? [] : gone.splice(at, 1)
    return old ? { text, kind: 'change', replacesId: old.id } : { text, kind: 'add' }
  })
  return [...statements, ...gone.map(({ id, text }): NewStatement => ({ text, kind: 'drop', replacesId: id }))]
}

/** Statements of the active version, normalized once. */
interface ApprovedStatements {
  byId: Map<string, { statement: SoleStatement; words: string }>
  byWords: Map<string, SoleStatement>
}

function readApproved(active: readonly SoleStatement[]): ApprovedStatements {
  const approved: ApprovedStatements = { byId: new Map(), byWords: new Map() }
  for (const statement of active) {
    const words = normalisedStatement(statement.text)
    approved.byId.set(statement.id, { statement, words })
    if (!approved.byWords.has(words)) approved.byWords.set(words, statement)
  }
  return approved
}

function place(given: NewStatement, index: number, approved: ApprovedStatements, author: string): Placed {
  const { text, kind, sources = [] } = given
  const words = normalisedStatement(text)
  const named = given.replacesId ?? (approved.byId.has(given.id ?? '') ? given.id : undefined)
  const isByWords = named === undefined && kind !== 'change'
  const old = isByWords ? approved.byWords.get(words) : approved.byId.get(named ?? '')?.statement
  const who = `Statement ${index + 1} (${shown(text)})`
  const id = author === 'person' && given.id !== named ? given.id : undefined
  const none = { index, text, sources, id, replacesId: null }
  if ((kind === undefined || kind === 'add') && !old) {
    if (named !== undefined) throw refused(`${who} names a statement that is not in the active version.`, index)
    return { ...none, kind: 'add' }
  }
  if (!old)
    throw refused(
      `${who} is a ${kind}, but names no statement of the active version. Give its id as replacesId.`,
      index,
    )
  const same = approved.byId.get(old.id)?.words === words
  if (kind === 'keep' && !same)
    throw refused(`${who} keeps a statement but changes its words. Make it a change, or keep the exact words.`, index)
  if (kind === 'keep' || (kind !== 'drop' && (text === old.text || (same && kind !== 'change'))))
    return { ...none, ...old, index, kind: 'keep', replacesId: null }
  if (!sharesSubject(old.text, text))
    throw refused(
      `${who} would ${kind === 'drop' ? 'drop' : 'replace'} ${shown(old.text)}, which is about something else: the two share too few words. Add it as a statement of its own.`,
      index,
    )
  // A dropped statement shows its approved text.
  if (kind === 'drop') return { ...none, text: old.text, kind: 'drop', replacesId: old.id }
  return { ...none, kind: 'change', replacesId: old.id }
}

function refuseTwice(placed: readonly Placed[]): void {
  const named = new Map<string, Placed>()
  for (const statement of placed) {
    const old = statement.kind === 'keep' ? statement.id : statement.replacesId
    if (!old) continue
    const before = named.get(old)
    if (before && (before.kind !== 'keep' || statement.kind !== 'keep'))
      throw refused(
        `Statements ${before.index + 1} and ${statement.index + 1} are both about one statement of the active version (${shown(statement.text)}). Say one thing about it.`,
        statement.index,
      )
    named.set(old, statement)
  }
}

function refuseUnfounded(placed: readonly Placed[]): void {
  const bare = placed.find(({ kind, sources }) => kind !== 'keep' && sources.length === 0)
  if (bare) throw refused(`Statement ${bare.index + 1} (${shown(bare.text)}) quotes no source. Quote one.`, bare.index)
}

/** Returns when each source was written. Kept statements keep their approved quotes. */
async function checkQuotes(
  services: Services,
  keeper: KeeperRow,
  placed: readonly Placed[],
): Promise<Map<string, number>> {
  const fresh = placed.filter(({ kind }) => kind !== 'keep')
  const found = await quotableSources(
    services,
    keeper,
    fresh.flatMap(({ sources }) => sources),
  )
  for (const { index, text, sources } of fresh) {
    for (const source of sources) {
      const there = found.get(sourceName(source))
      const who = `Statement ${index + 1} (${shown(text)}) quotes ${shown(source.quote)}`
      const data = { statement: index + 1, text, ...source }
      if (!there)
        throw refused(
          `${who} from the ${source.entity} ${source.id}, which can't be quoted: it isn't in this keeper, is in the bin, isn't approved, or is marked not for AI.`,
          index,
          data,
        )
      if (!/[\p{L}\p{N}]/u.test(source.quote) || !holdsQuote(there, source.quote))
        throw refused(
          `${who}, which isn't in the ${source.entity} ${source.id}. Quote it letter for letter.`,
          index,
          data,
        )
    }
  }
  return new Map([...found].map(([name, { at }]) => [name, at]))
}

/** Models see texts without invisible characters, so quotes may lack them. Cached per source. */
const shownTexts = new WeakMap<QuotableSource, string[]>()

function holdsQuote(source: QuotableSource, quote: string): boolean {
  if (source.texts.some((text) => text.includes(quote))) return true
  const shown = shownTexts.get(source) ?? source.texts.map(removeInvisible)
  shownTexts.set(source, shown)
  return shown.some((text) => text.includes(quote))
}

/** Merges duplicates, assigns ids and keeps unmentioned statements in place. */
function complete(
  services: Services,
  placed: readonly Placed[],
  active: readonly SoleStatement[],
  times: Map<string, number>,
): SoleStatement[] {
  const taken = new Set(active.map(({ id }) => id))
  const said = new Map<string, SoleStatement>()
  const statements: SoleStatement[] = []
  for (const statement of [...placed].sort(keepsFirst)) {
    const { id, text, kind, replacesId } = statement
    const words = statement.kind === 'drop' ? `drop ${statement.replacesId}` : normalisedStatement(statement.text)
    const sources = statement.kind === 'keep' ? statement.sources : withTimes(statement.sources, times)
    const twin = said.get(words)
    if (twin) {
      if (twin.kind !== 'keep') twin.sources = withTimes([...twin.sources, ...sources], times)
      continue
    }
    const free = id !== undefined && (statement.kind === 'keep' || !taken.has(id))
    const whole: SoleStatement = { id: free ? id : services.newId(), text, kind, replacesId, sources }
    taken.add(whole.id)
    said.set(words, whole)
    statements.push(whole)
  }
  return withUnmentioned(inOrder(statements, placed), active)
}

/** Of duplicates, the kept statement stays. */
const keepsFirst = (one: Placed, other: Placed) =>
  Number(other.kind === 'keep') - Number(one.kind === 'keep') || one.index - other.index

function inOrder(statements: SoleStatement[], placed: readonly Placed[]): SoleStatement[] {
  const at = (statement: SoleStatement) =>
    placed.find(({ text, kind }) => text === statement.text && kind === statement.kind)?.index ?? 0
  return statements.sort((one, other) => at(one) - at(other))
}

/** Dropped and unmentioned statements stay at their position. */
function withUnmentioned(statements: SoleStatement[], active: readonly SoleStatement[]): SoleStatement[] {
  const all = statements.filter(({ kind }) => kind !== 'drop')
  const placeOf = (old: SoleStatement | undefined) =>
    old ? all.findIndex(({ id, replacesId }) => id === old.id || replacesId === old.id) : -1
  active.forEach((old, index) => {
    if (placeOf(old) >= 0) return
    const dropped = statements.find(({ kind, replacesId }) => kind === 'drop' && replacesId === old.id)
    all.splice(placeOf(active[index - 1]) + 1, 0, dropped ?? { ...old, kind: 'keep', replacesId: null })
  })
  return all
}

function withTimes(sources: readonly SoleSource[], times: Map<string, number>): SoleSource[] {
  const once = new Map(sources.map((source) => [`${sourceName(source)} ${source.quote}`, source]))
  return [...once.values()].slice(0, mostSources).map(({ entity, id, quote }) => {
    const at = times.get(sourceName({ entity, id }))
    return { entity, id, quote, at: at === undefined ? null : new Date(at).toISOString() }
  })
}

function refused(message: string, index?: number, data?: object): Problem {
  return new Problem('unprocessable', {
    message,
    ...(index !== undefined && { fields: { [`statements.${index}`]: message } }),
    ...(data && { data }),
  })
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `“${line.length > 120 ? `${line.slice(0, 119).toWellFormed()}…` : line}”`
}
