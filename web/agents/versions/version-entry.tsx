import { RotateCcw } from 'lucide-react'
import type { AgentVersion } from '#contract/agents/versions.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { FieldChanges } from './field-changes.tsx'
import { getFieldLabel } from './field-labels.ts'

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
    runs > 0 && (runs === 1 ? '1 run' : `${runs.toLocaleString('en-US')} runs`),
  ].filter(Boolean)
  return (
    <li className="relative border-s-[1.5px] border-border ps-5 pb-6 last:pb-1 before:absolute before:-start-[6px] before:top-[7px] before:size-2.5 before:rounded-full before:bg-input before:content-['']">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="text-ui font-sans font-semibold tracking-normal">Version {version.version}</h3>
        {isCurrent && <Badge tone="success">current</Badge>}
        {version.origin !== 'saved' && <Badge>{getOriginText(version)}</Badge>}
        {onRestore && (
          <Button
            size="small"
            onClick={onRestore}
            aria-label={`Restore version ${version.version}`}
            icon={<RotateCcw aria-hidden size={12} />}
            className="ms-auto"
          >
            Restore
          </Button>
        )}
      </div>
      <p className="text-small text-muted-foreground">
        {version.author ? (version.author.name ?? 'Unnamed user') : 'Keeper'}
        {', '}
        <Time value={version.created_at} timeStyle="date-time" className="tabular-nums" />
        {details.length > 0 && ` · ${details.join(' · ')}`}
      </p>
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
