import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError } from '#web/api/api.ts'
import { getWrittenValue } from './pending-write.ts'

export interface ConflictDialogProps {
  /** For example `This moment`. */
  subject: ReactNode
  fields: ConflictField[]
  /** Identifies the conflict, as `card/{id}`; texts edited together are drafted under it. */
  conflictKey: string
  /** Saves the local version, with `texts` edited together, on the newer one; a rejection is shown. */
  onKeepLocal: (texts: Record<string, string>) => unknown
  onKeepRemote: () => unknown
  /** Nothing is lost: the draft stays. */
  onClose: () => void
}

export function getConflict<T>(reason: unknown): { yours: T; current: T } | undefined {
  return reason instanceof ApiError && reason.code === 'stale' ? (reason.data as { yours: T; current: T }) : undefined
}

export const compareAgainText = 'A newer version was saved while you were deciding. Compare both again.'

const ConflictView = lazy(() => import('./version-views.tsx').then((module) => ({ default: module.ConflictView })))

export function ConflictDialog(props: ConflictDialogProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <ConflictView {...props} />
    </Suspense>
  )
}

export interface ConflictField {
  name: string
  /** Replaces the field's usual label. */
  label?: string
  local: string
  remote: string
  /** Prose, which can be edited together. */
  isText: boolean
}

type Fields = Record<string, unknown>

const textFields = new Set(
  'content body message belief entry title name label note purpose topic category description question expectation'.split(
    ' ',
  ),
)

/** Sent along with another field, or meaningless to a person. */
const hiddenFields = ['keeperId', 'localDate', 'timezone']

type FieldFormat = (name: string, value: unknown) => string | undefined

/** The written fields where the local and the saved version differ. */
export function getConflictFields(
  local: Fields,
  remote: Fields,
  format: FieldFormat = () => undefined,
): ConflictField[] {
  return Object.entries(local).flatMap(([name, value]) => {
    const remoteValue = getWrittenValue(remote, name)
    if (hiddenFields.includes(name) || isSame(value, remoteValue)) return []
    const [localText, remoteText] = [value, remoteValue].map((side) => format(name, side) ?? formatValue(name, side))
    const isDistinct = localText !== remoteText
    return {
      name,
      local: isDistinct ? (localText ?? '') : 'Your choice',
      remote: isDistinct ? (remoteText ?? '') : 'Saved now',
      isText: typeof value === 'string' && typeof remoteValue !== 'object' && textFields.has(name),
    }
  })
}

/** The fields that both versions changed, to different values. */
export const findOverlaps = (local: Fields, remoteChanges: Fields, format?: FieldFormat): ConflictField[] =>
  getConflictFields(
    Object.fromEntries(Object.entries(local).filter(([name]) => name in remoteChanges)),
    remoteChanges,
    format,
  )

const isSame = (local: unknown, remote: unknown) => JSON.stringify(local ?? '') === JSON.stringify(remote ?? '')

function formatValue(name: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  // An id means nothing to a person.
  if (/Ids?$/.test(name)) return Array.isArray(value) ? `${value.length}` : 'Chosen'
  if (Array.isArray(value)) return value.map((item) => formatValue('', item)).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'object') return String(value)
  const { name: itemName, label, ...others } = value as { name?: unknown; label?: unknown }
  return formatValue('', itemName ?? label ?? Object.values(others))
}
