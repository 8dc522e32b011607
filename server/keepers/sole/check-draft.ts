import type * as z from 'zod/mini'
import type { NewStatement, newDraft, SoleSource, SoleStatement } from '#contract/keepers/sole.ts'
import {
  isSameSubject,
  normalizeStatement,
  sharesSubject,
  splitSentences,
  toSubject,
} from '#contract/keepers/sole-statements.ts'
import { ellipsize } from '#contract/truncate.ts'
import { Problem } from '#server/http/problem.ts'
import { removeInvisible } from '#server/models/data-in-prompts.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { findQuotableSources, getSourceKey, type QuotableSource } from './quotable-sources.ts'
import { findVersion } from './sole-rows.ts'

export type NewDraft = z.output<typeof newDraft>

export interface CheckedDraft {
  type: string
  content: string
  statements: SoleStatement[]
  basedOn: number | null
}

const maxStatements = 200
const maxSources = 10
const maxStatementLength = 2000
const tooManyStatements = `A SOLE has at most ${maxStatements} statements.`

/** Checks that quotes are literal, and keeps unmentioned statements.
 * @throws Problem 422 that names the statement, and the quote if one is wrong */
export async function checkDraft(
  services: Services,
  keeper: KeeperRow,
  input: NewDraft,
  author: 'person' | 'agent',
): Promise<CheckedDraft> {
  const version = await findVersion(services, keeper.id, 'active')
  const activeStatements = version?.statements ?? []
  const requestedStatements = input.statements ?? parseContent(input.content ?? '', activeStatements)
  if (requestedStatements.length === 0) throw createRefusal('Write at least one statement.')
  const approved = indexActiveStatements(activeStatements)
  const resolved = requestedStatements.map((statement, index) => resolveStatement(statement, index, approved, author))
  refuseDuplicates(resolved)
  if (author === 'agent') refuseUnquotedStatements(resolved)
  const writtenAtByKey = await checkQuotes(services, keeper, resolved)
  const statements = completeStatements(services, resolved, activeStatements, writtenAtByKey)
  if (statements.length > maxStatements) throw createRefusal(tooManyStatements)
  if (statements.every(({ kind }) => kind === 'keep'))
    throw createRefusal('The draft changes nothing: all of its statements are already approved.')
  return {
    type: input.type || 'narrative',
    content: toContent(statements, input.content),
    statements,
    basedOn: version?.version ?? null,
  }
}

/** Returns the author's text if it says the same as the statements, otherwise the joined statements. */
export function toContent(statements: readonly SoleStatement[], fallback?: string): string {
  const texts = statements.filter(({ kind }) => kind !== 'drop').map(({ text }) => text)
  const isSameText = fallback !== undefined && normalizeStatement(fallback) === normalizeStatement(texts.join(' '))
  return isSameText ? fallback : texts.join(' ')
}

type ResolvedStatement = Pick<SoleStatement, 'text' | 'kind' | 'replacesId' | 'sources'> & {
  id: string | undefined
  index: number
}

function parseContent(content: string, activeStatements: readonly SoleStatement[]): NewStatement[] {
  const activeTexts = new Set(activeStatements.map(({ text }) => normalizeStatement(text)))
  const sentences = new Map<string, string>()
  for (const sentence of splitSentences(content)) {
    const normalizedText = normalizeStatement(sentence)
    if (!sentences.has(normalizedText)) sentences.set(normalizedText, sentence)
  }
  // Checked first, because the comparison below is quadratic.
  if (sentences.size > maxStatements) throw createRefusal(tooManyStatements)
  const missingStatements = activeStatements
    .filter(({ text }) => !sentences.has(normalizeStatement(text)))
    .map(({ id, text }) => ({ id, text, subject: toSubject(text) }))
  const statements = [...sentences].map(([normalizedText, text]): NewStatement => {
    if (text.length > maxStatementLength)
      throw createRefusal(`A statement has at most 2,000 characters; ${quoteShort(text)} is longer. Break it up.`)
    if (activeTexts.has(normalizedText)) return { text }
    const subject = toSubject(text)
    const index = missingStatements.findIndex((approvedStatement) => isSameSubject(approvedStatement.subject, subject))
    const replacesId = missingStatements[index]?.id
    if (replacesId === undefined) return { text, kind: 'add' }
    missingStatements.splice(index, 1)
    return { text, kind: 'change', replacesId }
  })
  return [
    ...statements,
    ...missingStatements.map(({ id, text }): NewStatement => ({ text, kind: 'drop', replacesId: id })),
  ]
}

interface ApprovedStatements {
  byId: Map<string, { statement: SoleStatement; normalizedText: string }>
  byText: Map<string, SoleStatement>
}

function indexActiveStatements(activeStatements: readonly SoleStatement[]): ApprovedStatements {
  const approved: ApprovedStatements = { byId: new Map(), byText: new Map() }
  for (const statement of activeStatements) {
    const normalizedText = normalizeStatement(statement.text)
    approved.byId.set(statement.id, { statement, normalizedText })
    if (!approved.byText.has(normalizedText)) approved.byText.set(normalizedText, statement)
  }
  return approved
}

function resolveStatement(
  input: NewStatement,
  index: number,
  approved: ApprovedStatements,
  author: string,
): ResolvedStatement {
  const { text, kind, sources = [] } = input
  const normalizedText = normalizeStatement(text)
  const namedId = input.replacesId ?? (approved.byId.has(input.id ?? '') ? input.id : undefined)
  const canMatchText = namedId === undefined && kind !== 'change'
  const approvedStatement = canMatchText
    ? approved.byText.get(normalizedText)
    : approved.byId.get(namedId ?? '')?.statement
  const subject = `Statement ${index + 1} (${quoteShort(text)})`
  const id = author === 'person' && input.id !== namedId ? input.id : undefined
  const baseStatement = { index, text, sources, id, replacesId: null }
  if ((kind === undefined || kind === 'add') && !approvedStatement) {
    if (namedId !== undefined)
      throw createRefusal(`${subject} names a statement that is not in the active version.`, index)
    return { ...baseStatement, kind: 'add' }
  }
  if (!approvedStatement)
    throw createRefusal(
      `${subject} is a ${kind}, so it must name a statement of the active version. Set replacesId to that statement’s id.`,
      index,
    )
  const isSameText = approved.byId.get(approvedStatement.id)?.normalizedText === normalizedText
  if (kind === 'keep' && !isSameText)
    throw createRefusal(
      `${subject} keeps a statement but changes its words. Make it a change, or keep the exact words.`,
      index,
    )
  const isUnchanged = text === approvedStatement.text || (isSameText && kind !== 'change')
  if (kind === 'keep' || (kind !== 'drop' && isUnchanged))
    return { ...baseStatement, ...approvedStatement, index, kind: 'keep', replacesId: null }
  if (!sharesSubject(approvedStatement.text, text))
    throw createRefusal(
      `${subject} would ${kind === 'drop' ? 'drop' : 'replace'} ${quoteShort(approvedStatement.text)}, which is about something else: the two share too few words. Add it as a statement of its own.`,
      index,
    )
  if (kind === 'drop')
    return { ...baseStatement, text: approvedStatement.text, kind: 'drop', replacesId: approvedStatement.id }
  return { ...baseStatement, kind: 'change', replacesId: approvedStatement.id }
}

function refuseDuplicates(resolved: readonly ResolvedStatement[]): void {
  const statementByTarget = new Map<string, ResolvedStatement>()
  for (const statement of resolved) {
    const approvedId = statement.kind === 'keep' ? statement.id : statement.replacesId
    if (!approvedId) continue
    const sameTarget = statementByTarget.get(approvedId)
    if (sameTarget && (sameTarget.kind !== 'keep' || statement.kind !== 'keep'))
      throw createRefusal(
        `Statements ${sameTarget.index + 1} and ${statement.index + 1} are both about one statement of the active version (${quoteShort(statement.text)}). Say one thing about it.`,
        statement.index,
      )
    statementByTarget.set(approvedId, statement)
  }
}

function refuseUnquotedStatements(resolved: readonly ResolvedStatement[]): void {
  const unquoted = resolved.find(({ kind, sources }) => kind !== 'keep' && sources.length === 0)
  if (unquoted)
    throw createRefusal(
      `Statement ${unquoted.index + 1} (${quoteShort(unquoted.text)}) quotes no source. Quote one.`,
      unquoted.index,
    )
}

async function checkQuotes(
  services: Services,
  keeper: KeeperRow,
  resolved: readonly ResolvedStatement[],
): Promise<Map<string, number>> {
  const changedStatements = resolved.filter(({ kind }) => kind !== 'keep')
  const quotableSources = await findQuotableSources(
    services,
    keeper,
    changedStatements.flatMap(({ sources }) => sources),
  )
  for (const { index, text, sources } of changedStatements) {
    for (const source of sources) {
      const quotableSource = quotableSources.get(getSourceKey(source))
      const subject = `Statement ${index + 1} (${quoteShort(text)}) quotes ${quoteShort(source.quote)}`
      const data = { statement: index + 1, text, ...source }
      if (!quotableSource)
        throw createRefusal(
          `${subject} from the ${source.entity} ${source.id}, which can’t be quoted: it isn’t in this keeper, is in the trash, isn’t approved, or is marked not for AI.`,
          index,
          data,
        )
      if (!/[\p{L}\p{N}]/u.test(source.quote) || !containsQuote(quotableSource, source.quote))
        throw createRefusal(
          `${subject}, which isn’t in the ${source.entity} ${source.id}. Quote the source word for word.`,
          index,
          data,
        )
    }
  }
  return new Map([...quotableSources].map(([key, { writtenAt }]) => [key, writtenAt]))
}

/** Models see texts without invisible characters, so quotes may lack them. Cached per source. */
const visibleTextCache = new WeakMap<QuotableSource, string[]>()

function containsQuote(source: QuotableSource, quote: string): boolean {
  if (source.texts.some((text) => text.includes(quote))) return true
  const visibleTexts = visibleTextCache.get(source) ?? source.texts.map(removeInvisible)
  visibleTextCache.set(source, visibleTexts)
  return visibleTexts.some((text) => text.includes(quote))
}

function completeStatements(
  services: Services,
  resolved: readonly ResolvedStatement[],
  activeStatements: readonly SoleStatement[],
  writtenAtByKey: Map<string, number>,
): SoleStatement[] {
  const takenIds = new Set(activeStatements.map(({ id }) => id))
  const statementByText = new Map<string, SoleStatement>()
  const statements: SoleStatement[] = []
  for (const statement of [...resolved].sort(compareUnchangedFirst)) {
    const { id, text, kind, replacesId } = statement
    const normalizedText = kind === 'drop' ? `drop ${replacesId}` : normalizeStatement(text)
    const sources = kind === 'keep' ? statement.sources : addTimes(statement.sources, writtenAtByKey)
    const duplicate = statementByText.get(normalizedText)
    if (duplicate) {
      if (duplicate.kind !== 'keep') duplicate.sources = addTimes([...duplicate.sources, ...sources], writtenAtByKey)
      continue
    }
    const isIdFree = id !== undefined && (kind === 'keep' || !takenIds.has(id))
    const completed: SoleStatement = { id: isIdFree ? id : services.newId(), text, kind, replacesId, sources }
    takenIds.add(completed.id)
    statementByText.set(normalizedText, completed)
    statements.push(completed)
  }
  return addUnmentioned(sortByIndex(statements, resolved), activeStatements)
}

const compareUnchangedFirst = (a: ResolvedStatement, b: ResolvedStatement) =>
  Number(b.kind === 'keep') - Number(a.kind === 'keep') || a.index - b.index

function sortByIndex(statements: SoleStatement[], resolved: readonly ResolvedStatement[]): SoleStatement[] {
  const getIndex = (statement: SoleStatement) =>
    resolved.find(({ text, kind }) => text === statement.text && kind === statement.kind)?.index ?? 0
  return statements.sort((a, b) => getIndex(a) - getIndex(b))
}

function addUnmentioned(statements: SoleStatement[], activeStatements: readonly SoleStatement[]): SoleStatement[] {
  const merged = statements.filter(({ kind }) => kind !== 'drop')
  const findPosition = (approvedStatement: SoleStatement | undefined) =>
    approvedStatement
      ? merged.findIndex(({ id, replacesId }) => id === approvedStatement.id || replacesId === approvedStatement.id)
      : -1
  activeStatements.forEach((approvedStatement, index) => {
    if (findPosition(approvedStatement) >= 0) return
    const dropped = statements.find(({ kind, replacesId }) => kind === 'drop' && replacesId === approvedStatement.id)
    merged.splice(
      findPosition(activeStatements[index - 1]) + 1,
      0,
      dropped ?? { ...approvedStatement, kind: 'keep', replacesId: null },
    )
  })
  return merged
}

function addTimes(sources: readonly SoleSource[], writtenAtByKey: Map<string, number>): SoleSource[] {
  const uniqueSources = new Map(sources.map((source) => [`${getSourceKey(source)} ${source.quote}`, source]))
  return [...uniqueSources.values()].slice(0, maxSources).map(({ entity, id, quote }) => {
    const writtenAt = writtenAtByKey.get(getSourceKey({ entity, id }))
    return { entity, id, quote, at: writtenAt === undefined ? null : new Date(writtenAt).toISOString() }
  })
}

function createRefusal(message: string, index?: number, data?: object): Problem {
  return new Problem('unprocessable', {
    message,
    ...(index !== undefined && { fields: { [`statements.${index}`]: message } }),
    ...(data && { data }),
  })
}

const quoteShort = (text: string) => `“${ellipsize(text.replace(/\s+/g, ' ').trim(), 120)}”`
