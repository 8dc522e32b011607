export interface FormDraft<Values> {
  /** For a new entity: the same for its retries, so that they can't create a second one. */
  id: string
  /** Idempotency key, new with each change. */
  key: string
  /** The revision that the draft is based on; `null` for a new entity. */
  rev: number | null
  /** The values at that revision, if known. */
  before: Values | null
  /** When sent on a newer version, that version with the changes. */
  values: Values
  /** Sent for that revision; it may have arrived although its answer was lost. */
  sent?: Values | undefined
}

/** Whether the version `rev` with `values` is what this draft sent. */
export const isOwnSave = <Values extends object>(
  draft: Pick<FormDraft<Values>, 'rev' | 'sent'>,
  rev: number,
  values: Values,
): boolean => Boolean(draft.sent && draft.rev === rev - 1 && Object.keys(getChanges(draft.sent, values)).length === 0)

/** The fields of `values` that differ from `previous`. */
export function getChanges<Values extends object>(previous: Values | null, values: Values): Partial<Values> {
  if (!previous) return values
  const names = Object.keys(values) as (keyof Values)[]
  return pick(
    values,
    names.filter((name) => !isSame(values[name], previous[name])),
  )
}

const isSame = (one: unknown, other: unknown) =>
  Object.is(one, other) || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

/** Also reads what earlier versions stored: values next to `rev`, and without the values they were based on. */
export function readFormDraft<Entity, Values extends object>(
  stored: unknown,
  initial: FormDraft<Values>,
  toValues: (entity: Entity) => Values,
): FormDraft<Values> {
  if (typeof stored === 'string') return readFormDraft({ ...toSingleField(initial, stored) }, initial, toValues)
  const record = (stored ?? {}) as Record<string, unknown>
  const { id = '', key, writing, values = writing ?? record.words ?? stored, base = record.before } = record
  const names = Object.keys(initial.values) as (keyof Values)[]
  const isSingleText = typeof base === 'string' && names.length === 1
  const baseValues = isSingleText ? toSingleField(initial, base) : typeof base === 'object' ? base : null
  const previous = baseValues as (Values & { rev?: number }) | null
  const rev = (record.rev ?? previous?.rev ?? initial.rev) as number | null
  const isStoredAsEntity = writing !== undefined && previous !== null
  const before = isStoredAsEntity ? toValues(previous as Entity) : rev === initial.rev ? initial.before : null
  return {
    id: (id as string) || initial.id,
    key: (key as string | undefined) || initial.key,
    rev,
    before: previous && names.every((name) => name in previous) ? pick(previous, names) : before,
    values: { ...initial.values, ...pick(values as Values, names) },
    ...(record.sent ? { sent: pick(record.sent as Values, names) } : {}),
  }
}

const toSingleField = ({ values }: FormDraft<object>, text: string) => ({ [Object.keys(values)[0] ?? '']: text })

const pick = <Values extends object>(values: Values, names: readonly (keyof Values)[]): Values =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]])) as Values

/** Also maps the error of a list item to its field: `tags.2` to `tags`. */
export function toFieldErrors(fields: Record<string, string> = {}): Record<string, string> {
  const rootFieldErrors = Object.entries(fields).map(([path, text]) => [path.split('.')[0], text])
  return { ...Object.fromEntries(rootFieldErrors), ...fields }
}
