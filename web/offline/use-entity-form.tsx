import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, call, NetworkError } from '#web/api/api.ts'
import type { AnyEndpoint, CallInput, CallResult } from '#web/api/api-types.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { ConflictDialog, compareAgainText, findOverlaps, getConflict } from './conflict-dialog.tsx'
import { createClientId } from './create-client-id.ts'
import type { SendResult } from './send-or-queue.ts'
import { type DraftOptions, useDraft } from './use-draft.ts'

type FieldErrors = Record<string, string>

export interface EntityFormOptions<Entity extends { rev: number }, Values extends object, Body extends object> {
  draftKey: string
  draftOptions?: DraftOptions
  /** As named in a conflict: `This moment`. */
  subject: string
  /** `null` for a new one. */
  entity: Entity | null
  toValues: (entity: Entity) => Values
  /** The values of a new one. */
  blank: Values
  /** Error texts by field; the server checks everything else. */
  validate?: (values: Values, previous: Values | null) => FieldErrors
  /** The fields to send: changes from `previous`, or all of a new one (`null`). By default the changed values. */
  toBody?: (values: Values, previous: Values | null) => Body
  /** The entity that a restored new draft has already become. */
  findSaved?: (id: string) => Entity | undefined
  /** For fields of the saved version that a person can't read. */
  toMaskedFields?: (current: Entity) => Record<string, unknown>
  formatField?: (name: string, value: unknown) => string | undefined
  /** `base` is the version to save on, if it isn't `entity`. @throws ApiError `stale` with both versions */
  send: (body: Body, draft: FormDraft<Values>, base?: Entity) => Promise<SendResult<Entity> | undefined>
  /** Receives `undefined` when nothing had changed, or nothing is sent. */
  onSaved: (result: SendResult<Entity> | undefined, draft: FormDraft<Values>) => unknown
}

/** The part that doesn't depend on the fields. */
export interface FormState {
  values: object
  isDirty: boolean
  /** A draft was restored from this browser. */
  restored: boolean
  ready: boolean
  /** When this page last stored the draft on disk, to the minute (ms). */
  draftSavedAt: number | undefined
  /** False again once the text of an existing entity changes. */
  isSaving: boolean
  /** Until the next change. */
  isSaved: boolean
  /** Resolves to false if something has to be corrected or decided first. */
  save: () => Promise<unknown>
  discard: () => void
  failure: unknown
  errors: FieldErrors
  /** Present until the conflict is decided. */
  conflict: { isPostponed: boolean; compare: () => void } | undefined
  conflictDialog: ReactNode
}

export interface EntityForm<Values extends object> extends FormState {
  values: Values
  set: (change: Partial<Values> | ((values: Values) => Partial<Values>)) => void
  /** Props of a text field or select. */
  field: <Name extends keyof Values & string>(name: Name) => FieldProps<Values[Name]>
  /** Validates one field, for example when it loses focus. */
  check: (name: keyof Values & string) => void
}

interface FieldProps<Value> {
  value: Value
  onChange: (event: { currentTarget: { value: string } }) => void
  error: string | undefined
}

interface Conflict<Entity, Body> {
  current: Entity
  body: Body
  isPostponed: boolean
}

/** Like `sendOrQueue`, for calls that need the server. */
export const sendNow = async <E extends AnyEndpoint>(endpoint: E, input: CallInput<E>) => ({
  state: 'sent' as const,
  answer: (await call(endpoint, ...([input] as never))) as CallResult<E>,
})

/** The state of a form over one entity: draft, checks, save and conflict. */
export function useEntityForm<
  Entity extends { rev: number },
  Values extends object,
  Body extends object = Partial<Values>,
>(options: EntityFormOptions<Entity, Values, Body>): EntityForm<Values> {
  const { draftKey, toValues, blank, validate = acceptAll, send, onSaved } = options
  const toBody = options.toBody ?? ((values, previous) => getChanges(previous, values) as Body)
  const [newId, setNewId] = useState(createClientId)
  const [savedVersion, setSavedVersion] = useState<Entity>()
  const isSavedNewer = options.entity !== null && savedVersion !== undefined && savedVersion.rev > options.entity.rev
  const entity = isSavedNewer ? savedVersion : options.entity
  const initialValues = entity ? toValues(entity) : blank
  const initial = { id: newId, key: newId, rev: entity?.rev ?? null, before: initialValues, values: initialValues }
  const draft = useDraft<unknown>(draftKey, initial, options.draftOptions)
  const draftValue: FormDraft<Values> =
    draft.value === initial ? initial : readFormDraft(draft.value, initial, toValues)
  const latest = useRef<FormDraft<Values>>(draftValue)
  latest.current = draftValue
  const pendingSave = useRef<Promise<boolean>>(undefined)
  const [isSaving, setSaving] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [conflict, setConflict] = useState<Conflict<Entity, Body>>()

  // A restored draft may have been saved although its answer was lost.
  const savedEntity = draftValue.rev === null ? options.findSaved?.(draftValue.id) : entity
  useEffect(() => {
    if (!draft.restored || !savedEntity || savedEntity.rev === draftValue.rev) return
    const before = toValues(savedEntity)
    if (isEmpty(toBody(draftValue.values, before))) draft.clear()
    else if (draftValue.rev === null || isSavedFromDraft(draftValue, savedEntity.rev, before))
      draft.set({ ...draftValue, rev: savedEntity.rev, before, sent: undefined })
  })

  function store(next: FormDraft<Values>) {
    latest.current = next
    draft.set(next)
  }

  function set(change: Partial<Values> | ((values: Values) => Partial<Values>)) {
    const { values: previous, before, rev, id } = latest.current
    const changes = typeof change === 'function' ? change(previous) : change
    const values = { ...previous, ...changes }
    setSaved(false)
    setErrors((problems) =>
      Object.fromEntries(Object.entries(problems).filter(([path]) => !(getRoot(path) in changes))),
    )
    // A restored new entity may have been created already, so a changed one gets another id.
    const isOtherEntity = draft.restored && rev === null
    const next = { ...latest.current, id: isOtherEntity ? newId : id, key: createClientId(), values }
    if (rev !== null && isEmpty(getChanges(before, values))) {
      latest.current = next
      draft.clear()
    } else store(next)
  }

  async function finish(result: SendResult<Entity> | undefined, sentValues?: Values) {
    const finished = latest.current
    setConflict(undefined)
    setFailure(undefined)
    if (result?.state === 'sent') setSavedVersion(result.answer)
    const laterChanges = finished.rev !== null && sentValues ? getChanges(sentValues, finished.values) : {}
    if (finished.rev !== null) {
      const rev = result?.state === 'sent' ? result.answer.rev : finished.rev
      const before = result?.state === 'sent' ? toValues(result.answer) : (sentValues ?? finished.values)
      latest.current = { ...finished, rev, before, values: { ...before, ...laterChanges }, sent: undefined }
    }
    setNewId(createClientId())
    if (!isEmpty(laterChanges)) draft.set(latest.current)
    else if (finished.rev === null) await draft.release()
    // Synchronously, because an existing entity can be edited while it is saved.
    else draft.clear()
    setSaved(isEmpty(laterChanges))
    await onSaved(result, finished)
  }

  function compareWith(current: Entity, body: Body) {
    const remoteChanges = toBody(toValues(current), latest.current.before)
    return findOverlaps(
      { ...body } as Record<string, unknown>,
      { ...remoteChanges, ...options.toMaskedFields?.(current) },
      options.formatField,
    )
  }

  async function sendOnto(body: Body, base?: Entity) {
    const { values } = latest.current
    const rev = base ? base.rev : latest.current.rev
    // Stored even without changes, so that a retry after a reload creates the same entity.
    store({ ...latest.current, sent: values })
    const sentValues = { ...(base ? toValues(base) : values), ...body }
    await finish(await send(body, { ...latest.current, values: sentValues, rev }, base), values)
  }

  async function sendOrResolve(body: Body, base?: Entity): Promise<boolean> {
    const previous = latest.current
    try {
      await sendOnto(body, base)
      return true
    } catch (reason) {
      const current = getConflict<Entity>(reason)?.current
      if (!current) throw reason
      const overlaps = isSavedFromDraft(previous, current.rev, toValues(current)) ? [] : compareWith(current, body)
      if (current.rev !== base?.rev && overlaps.length === 0) return sendOrResolve(body, current)
      setConflict({ current, body, isPostponed: false })
      return false
    }
  }

  async function saveLatest(): Promise<boolean> {
    const { values, before, rev } = latest.current
    const problems = validate(values, before)
    setErrors(problems)
    setFailure(undefined)
    if (!isEmpty(problems)) return false
    const body = toBody(values, rev === null ? null : before)
    if (rev !== null && isEmpty(body)) {
      await finish(undefined)
      return true
    }
    setSaving(true)
    try {
      return await sendOrResolve(body)
    } catch (reason) {
      setFailure(reason)
      setErrors(toFieldErrors(reason instanceof ApiError ? reason.fields : undefined))
      return false
    } finally {
      setSaving(false)
    }
  }

  async function keepLocal({ body, current }: Conflict<Entity, Body>, texts: Record<string, string>) {
    try {
      await sendOnto({ ...body, ...texts }, current)
    } catch (reason) {
      const newer = getConflict<Entity>(reason)?.current
      if (!newer) throw reason
      setConflict({ body, current: newer, isPostponed: false })
      throw new Error(compareAgainText)
    }
  }

  return {
    values: draftValue.values,
    set,
    field: (name) => ({
      value: draftValue.values[name],
      onChange: ({ currentTarget: { value } }) => set({ [name]: value } as Partial<Values>),
      error: errors[name],
    }),
    check(name) {
      const problem = validate(draftValue.values, draftValue.before)[name]
      if (problem) setErrors({ ...errors, [name]: problem })
    },
    isDirty: !isEmpty(toBody(draftValue.values, draftValue.before)),
    restored: draft.restored,
    ready: draft.ready,
    draftSavedAt: draft.savedAt,
    isSaving:
      isSaving &&
      (draftValue.rev === null || isEmpty(getChanges(draftValue.sent ?? draftValue.values, draftValue.values))),
    isSaved,
    // Saves run one at a time, because each builds on the previous revision.
    save() {
      pendingSave.current ??= saveLatest().finally(() => {
        pendingSave.current = undefined
      })
      return pendingSave.current
    },
    discard() {
      setErrors({})
      setFailure(undefined)
      setConflict(undefined)
      draft.clear()
    },
    failure,
    errors,
    conflict: conflict && {
      isPostponed: conflict.isPostponed,
      compare: () => setConflict({ ...conflict, isPostponed: false }),
    },
    conflictDialog: conflict && !conflict.isPostponed && (
      <ConflictDialog
        subject={options.subject}
        fields={compareWith(conflict.current, conflict.body)}
        conflictKey={draftKey}
        onKeepLocal={(texts) => keepLocal(conflict, texts)}
        onKeepRemote={() => finish({ state: 'sent', answer: conflict.current })}
        onClose={() => setConflict((open) => open && { ...open, isPostponed: true })}
      />
    ),
  }
}

const acceptAll = (): FieldErrors => ({})
const isEmpty = (value: object) => Object.keys(value).length === 0

interface SubmitFormOptions<Values extends object>
  extends Pick<EntityFormOptions<{ rev: number }, Values, Values>, 'draftKey' | 'draftOptions' | 'blank' | 'validate'> {
  /** @throws the reason to show */
  submit: (values: Values, draft: FormDraft<Values>) => Promise<unknown>
  onSaved?: () => unknown
}

/** A form that is sent once, without an entity to compare with. */
export const useSubmitForm = <Values extends object>({
  submit,
  onSaved = () => undefined,
  ...options
}: SubmitFormOptions<Values>): EntityForm<Values> =>
  useEntityForm<{ rev: number }, Values, Values>({
    ...options,
    subject: '',
    entity: null,
    toValues: () => options.blank,
    async send(values, draft) {
      await submit(values, draft)
      return undefined
    },
    onSaved,
  })

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

/** Whether this draft sent the version `rev` with `values`. */
const isSavedFromDraft = <Values extends object>(
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

/** Also reads drafts of earlier versions: values next to `rev`, and without the values they were based on. */
export function readFormDraft<Entity, Values extends object>(
  stored: unknown,
  initial: FormDraft<Values>,
  toValues: (entity: Entity) => Values,
): FormDraft<Values> {
  if (typeof stored === 'string') return readFormDraft({ ...toSingleField(initial, stored) }, initial, toValues)
  const record = (stored ?? {}) as Record<string, unknown>
  const { id = '', key, writing, words } = record
  // Later versions renamed `writing` and `words` to `values`, and `base` to `before`.
  const { values = writing ?? words ?? stored, base = record.before } = record
  const names = Object.keys(initial.values) as (keyof Values)[]
  const isSingleText = typeof base === 'string' && names.length === 1
  const baseRecord = typeof base === 'object' ? base : null
  const previous = (isSingleText ? toSingleField(initial, base) : baseRecord) as (Values & { rev?: number }) | null
  const rev = (record.rev ?? previous?.rev ?? initial.rev) as number | null
  let before = rev === initial.rev ? initial.before : null
  if (previous && names.every((name) => name in previous)) before = pick(previous, names)
  else if (previous && writing !== undefined) before = toValues(previous as Entity)
  return {
    id: (id as string) || initial.id,
    key: (key as string | undefined) || initial.key,
    rev,
    before,
    values: { ...initial.values, ...pick(values as Values, names) },
    ...(record.sent ? { sent: pick(record.sent as Values, names) } : {}),
  }
}

const toSingleField = ({ values }: FormDraft<object>, text: string) => ({ [Object.keys(values)[0] ?? '']: text })

const pick = <Values extends object>(values: Values, names: readonly (keyof Values)[]): Values =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]])) as Values

/** Also maps the error of a list item to its field: `tags.2` to `tags`. */
export function toFieldErrors(fields: Record<string, string> = {}): Record<string, string> {
  const rootFieldErrors = Object.entries(fields).map(([path, text]) => [getRoot(path), text])
  return { ...Object.fromEntries(rootFieldErrors), ...fields }
}

/** The detail of a failed save, unless the fields of the form show all of it. */
export function getFailureDetail(reason: unknown, fieldNames: readonly string[]): string | undefined {
  if (reason instanceof ApiError) {
    const paths = Object.keys(reason.fields ?? {})
    // A form can have a field of a nested object: `model_settings.temperature`.
    const isField = (path: string) =>
      [getRoot(path), path.split('.').at(-1) ?? path].some((name) => fieldNames.includes(name))
    return paths.length > 0 && paths.every(isField) ? undefined : reason.serverMessage
  }
  if (reason instanceof NetworkError) return 'Nothing you typed is lost. Try again when the server can be reached.'
  return getErrorMessage(reason)
}

const getRoot = (path: string) => path.split('.')[0] ?? path
