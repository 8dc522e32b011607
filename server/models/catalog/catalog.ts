import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import builtIn from './models.json' with { type: 'json' }

const nameSchema = z.string().check(z.minLength(1), z.maxLength(200))
const tokenCountSchema = z.int().check(z.positive())
const dollarsSchema = z.number().check(z.gte(0), z.lte(1_000_000))
const daySchema = z.iso.date()

/** US dollars per million tokens. */
const priceStepFields = {
  input: dollarsSchema,
  cachedInput: z.optional(dollarsSchema),
  cacheWrite: z.optional(dollarsSchema),
  output: dollarsSchema,
}
const priceSchema = z.strictObject({
  ...priceStepFields,
  /** Price of the whole request if its input is longer than `tokens`. */
  above: z.optional(z.strictObject({ tokens: tokenCountSchema, ...priceStepFields })),
})

const catalogEntrySchema = z.strictObject({
  provider: z.string().check(z.regex(/^[a-z0-9][a-z0-9_-]{0,62}$/)),
  id: nameSchema,
  purpose: z.enum(['chat', 'embedding', 'transcription', 'speech']),
  /** Rank of the default model for new agents; 1 is the first choice. */
  recommended: z.optional(tokenCountSchema),
  window: z.optional(tokenCountSchema),
  maxOutput: z.optional(tokenCountSchema),
  price: z.optional(priceSchema),
  priceChanges: z.optional(z.array(z.strictObject({ from: daySchema, price: priceSchema }))),
  abilities: z.optional(z.array(z.enum(['tools', 'vision', 'reasoning']))),
  refusedSettings: z.optional(z.array(nameSchema)),
  renames: z.optional(z.record(nameSchema, nameSchema)),
  shutdownDate: z.optional(daySchema),
  isShutDown: z.optional(z.boolean()),
  replacement: z.optional(nameSchema),
})
export type CatalogEntry = z.infer<typeof catalogEntrySchema>
export type CatalogPurpose = CatalogEntry['purpose']
export type CatalogPrice = z.infer<typeof priceSchema>

const catalogFileSchema = z.strictObject({
  keeper: z.literal('model-catalog'),
  format: z.literal(1),
  models: z.array(catalogEntrySchema).check(z.maxLength(5000)),
})

export class BadCatalog extends Error {}

export class Catalog {
  readonly entries: readonly CatalogEntry[]
  readonly #entryByKey: ReadonlyMap<string, CatalogEntry>
  readonly #entryByName: ReadonlyMap<string, CatalogEntry>

  constructor(entries: readonly CatalogEntry[]) {
    this.entries = entries
    this.#entryByKey = new Map(entries.map((entry) => [`${entry.provider}/${entry.id}`, entry]))
    this.#entryByName = new Map(entries.toReversed().map((entry) => [entry.id, entry]))
  }

  find(provider: string, model: string): CatalogEntry | undefined {
    return this.#entryByKey.get(`${provider}/${model}`) ?? this.#entryByKey.get(`${provider}/${withoutDate(model)}`)
  }

  findAnywhere(provider: string, model: string): CatalogEntry | undefined {
    const exact = this.find(provider, model)
    if (exact) return exact
    for (const bareName of listBareNames(model)) {
      const entry =
        this.find(provider, bareName) ?? this.#entryByName.get(bareName) ?? this.#entryByName.get(withoutDate(bareName))
      if (entry) return entry
    }
    return undefined
  }

  listRecommended(provider: string, purpose: CatalogPurpose = 'chat'): CatalogEntry[] {
    return this.entries
      .filter((entry) => entry.provider === provider && entry.purpose === purpose && entry.recommended !== undefined)
      .toSorted((a, b) => (a.recommended ?? 0) - (b.recommended ?? 0))
  }
}

const dateSuffixPattern = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/

export function withoutDate(model: string): string {
  return model.replace(dateSuffixPattern, '')
}

function listBareNames(model: string): string[] {
  const afterFolder = model.slice(model.lastIndexOf('/') + 1)
  const fineTunedBase = /^ft:([^:]+)/.exec(afterFolder)?.[1]
  return [...new Set([model, afterFolder, fineTunedBase ?? afterFolder.slice(afterFolder.indexOf(':') + 1)])]
}

export function parseCatalog(value: unknown): Catalog {
  const parsed = catalogFileSchema.safeParse(value)
  if (!parsed.success) throw new BadCatalog(describeIssue(parsed.error.issues[0], value))
  const keys = new Set<string>()
  for (const { provider, id } of parsed.data.models) {
    if (keys.has(`${provider}/${id}`)) throw new BadCatalog(`${provider}/${id} is listed twice.`)
    keys.add(`${provider}/${id}`)
  }
  return new Catalog(parsed.data.models)
}

export function readCatalogFile(path: string): Catalog {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new BadCatalog(`the file can’t be read: ${(error as Error).message}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BadCatalog('the file isn’t valid JSON.')
  }
  return parseCatalog(value)
}

function describeIssue(issue: z.core.$ZodIssue | undefined, value: unknown): string {
  const [, index, ...field] = issue?.path ?? []
  const entry = (value as { models?: { id?: unknown }[] })?.models?.[Number(index)]
  const location =
    index === undefined
      ? `${issue?.path.join('.') || 'the file'}`
      : `entry ${Number(index) + 1} (${typeof entry?.id === 'string' ? entry.id : 'without an id'}), ${field.join('.') || 'the entry'}`
  return `${location}: ${describeExpectation(issue)}`
}

function describeExpectation(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'unrecognized_keys':
      return `${issue.keys.join(', ')} is not a known field.`
    case 'invalid_type':
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}.`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}.`
    case 'too_small':
      return `must be at least ${issue.minimum}.`
    case 'too_big':
      return `must be at most ${issue.maximum}.`
    case 'invalid_format':
      return issue.format === 'date'
        ? 'must be a day such as 2027-01-14.'
        : `does not have the form ${issue.pattern ?? issue.format}.`
    default:
      return 'is not as expected.'
  }
}

// `catalog.test.ts` validates the built-in one, which takes 10 ms.
const builtInCatalog = new Catalog(builtIn.models as CatalogEntry[])
let activeCatalog = builtInCatalog

export function getCatalog(): Catalog {
  return activeCatalog
}

/** Loads the operator's catalog; null restores the built-in one. */
export function loadCatalog(path: string | null): void {
  activeCatalog = path === null ? builtInCatalog : readCatalogFile(path)
}
