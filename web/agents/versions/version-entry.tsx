import { RotateCcw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { AgentVersion, FieldChange } from '#contract/agents/versions.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import type { AgentField } from '../form/agent-form-values.ts'
import { fieldNames } from '../form/check-agent-form.ts'

export interface VersionEntryProps {
  version: AgentVersion
  isCurrent: boolean
  isExpanded: boolean
  onRestore?: () => void
}

export function VersionEntry({ version, isCurrent, isExpanded, onRestore }: VersionEntryProps) {
  const { changes, golden, runs } = version
  const details = [
    golden && `Golden questions ${golden.passed} of ${golden.total}`,
    runs > 0 && pluralize(runs, 'run'),
  ].filter(Boolean)
  return (
    <li className="relative border-s-[1.5px] border-border ps-5 pb-6 last:pb-1 before:absolute before:-start-[6px] before:top-[7px] before:size-2.5 before:rounded-full before:bg-input before:content-['']">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="text-ui font-sans font-semibold tracking-normal">Version {version.version}</h3>
            {isCurrent && <Badge tone="success">current</Badge>}
            {version.origin !== 'saved' && <Badge>{getOriginText(version)}</Badge>}
          </div>
          <p className="text-small text-muted-foreground">
            {version.author ? (version.author.name ?? 'Unnamed user') : 'Keeper'}
            {', '}
            <Time value={version.created_at} timeStyle="date-time" className="tabular-nums" />
            {details.length > 0 && ` · ${details.join(' · ')}`}
          </p>
        </div>
        {onRestore && (
          <Button
            size="small"
            onClick={onRestore}
            aria-label={`Restore version ${version.version}`}
            icon={<RotateCcw aria-hidden size={12} />}
          >
            Restore
          </Button>
        )}
      </div>
      {changes.length > 0 && (
        <details open={isExpanded} className="mt-2 rounded-md border border-hairline bg-card px-3 py-2">
          <summary className="cursor-pointer rounded-xs text-small wrap-anywhere">
            {changes.map(({ field }) => getFieldLabel(field)).join(', ')}
          </summary>
          <div className="mt-2.5">
            <FieldChanges changes={changes} />
          </div>
        </details>
      )}
      {changes.length === 0 && version.origin === 'saved' && (
        <p className="mt-1 text-small text-muted-foreground">Nothing changed.</p>
      )}
    </li>
  )
}

function getOriginText({ origin, restored_version }: AgentVersion): string {
  if (origin === 'restored') return `restored from ${restored_version}`
  return origin
}

const WordDiff = lazy(() => import('./word-diff.tsx'))
const maxInlineLength = 60

export function FieldChanges({ changes }: { changes: FieldChange[] }) {
  return (
    <dl className="flex flex-col gap-2 text-ui">
      {changes.map(({ field, before: previousValue, after: nextValue }) => (
        <div key={field} className="min-w-0">
          <dt className="text-small font-label text-muted-foreground">{getFieldLabel(field)}</dt>
          <dd className="mt-0.5 wrap-anywhere">
            <ValueChange previousValue={previousValue} nextValue={nextValue} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function ValueChange({ previousValue, nextValue }: { previousValue: unknown; nextValue: unknown }) {
  const [previousText, nextText] = [formatValue(previousValue), formatValue(nextValue)]
  if (previousText.length > maxInlineLength || nextText.length > maxInlineLength) {
    return (
      <Suspense fallback={<span className="whitespace-pre-wrap">{nextText}</span>}>
        <WordDiff
          previousText={previousValue === undefined ? '' : previousText}
          nextText={nextValue === undefined ? '' : nextText}
        />
      </Suspense>
    )
  }
  return (
    <>
      <del className="text-muted-foreground line-through decoration-1">{previousText}</del>
      <span aria-hidden className="mx-1.5 text-muted-foreground">
        →
      </span>
      <ins className="no-underline">{nextText}</ins>
    </>
  )
}

const extraFieldLabels: Record<string, string> = {
  status: 'Status',
  model_provider: 'Provider',
  visitors_spend_owner_key: 'Visitors use the owner’s key',
  visitor_daily_usd: 'Visitors’ daily limit',
  voice_id: 'Voice',
  voice_name: 'Voice name',
  fallback_model: 'Fallback model',
}

export function getFieldLabel(field: string): string {
  const lastSegment = field.split('.').at(-1) ?? field
  return fieldNames[lastSegment as AgentField] ?? extraFieldLabels[lastSegment] ?? field.replace(/^config\./, '')
}

export function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
