import { type ReactNode, useMemo } from 'react'
import type { SoleSource, StatementKind } from '#contract/keepers/sole.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { getDiffSegments } from '#web/ui/text/compare-texts.ts'
import { SourceChip } from './source-chip.tsx'

const statementKinds: Record<StatementKind, { label: string; tone: BadgeTone; borderClass: string }> = {
  add: { label: 'Added', tone: 'success', borderClass: 'border-success' },
  change: { label: 'Changed', tone: 'info', borderClass: 'border-info' },
  drop: { label: 'Dropped', tone: 'destructive', borderClass: 'border-destructive' },
  keep: { label: 'Kept', tone: 'outlined', borderClass: 'border-border' },
}

export interface StatementRowProps {
  kind: StatementKind
  /** Set for `change` and `drop`. */
  previousText: string | undefined
  /** Not set for `drop`. */
  nextText: string | undefined
  sources: SoleSource[]
  keeperId: string
  canOpen: boolean
  /** Absent when there is nothing to choose. */
  choice?: { checked: boolean; onChange: (checked: boolean) => void }
}

export function StatementRow({ kind, previousText, nextText, sources, keeperId, canOpen, choice }: StatementRowProps) {
  const { label, tone, borderClass } = statementKinds[kind]
  const text = nextText ?? previousText ?? ''
  return (
    <li className={classNames('border-s-2 py-2.5 ps-3.5', borderClass)}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        {choice && (
          <Checkbox
            checked={choice.checked}
            onCheckedChange={choice.onChange}
            label="Approve"
            aria-label={`Approve: ${text}`}
          />
        )}
      </div>
      <div
        className={classNames(
          'mt-1 font-serif text-[17px] leading-[26px] wrap-break-word',
          kind === 'keep' && 'text-muted-foreground',
        )}
      >
        {kind === 'change' && previousText !== undefined && nextText !== undefined ? (
          <ChangedText previousText={previousText} nextText={nextText} />
        ) : kind === 'drop' ? (
          <p>
            <del className="text-destructive decoration-1">{text}</del>
          </p>
        ) : (
          <p>{text}</p>
        )}
      </div>
      {(sources.length > 0 || kind === 'add' || kind === 'change') && (
        <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
          {sources.map((source) => (
            <SourceChip
              key={`${source.entity} ${source.id} ${source.quote}`}
              source={source}
              keeperId={keeperId}
              canOpen={canOpen}
            />
          ))}
          {sources.length === 0 && <span className="text-small text-muted-foreground">No source quoted</span>}
        </div>
      )}
    </li>
  )
}

function ChangedText({ previousText, nextText }: { previousText: string; nextText: string }) {
  const [previousSegments, nextSegments] = useMemo(
    () => [getDiffSegments(previousText, nextText), getDiffSegments(nextText, previousText)],
    [previousText, nextText],
  )
  return (
    <>
      <p className="text-[15px] leading-6 text-muted-foreground">
        <span className="sr-only">Before: </span>
        {renderSegments(previousSegments, (key, content) => (
          <del key={key} className="rounded-xs bg-destructive-soft text-destructive decoration-1">
            {content}
          </del>
        ))}
      </p>
      <p>
        <span className="sr-only">After: </span>
        {renderSegments(nextSegments, (key, content) => (
          <ins key={key} className="rounded-xs bg-success-soft text-success underline decoration-1 underline-offset-2">
            {content}
          </ins>
        ))}
      </p>
    </>
  )
}

function renderSegments(
  segments: ReturnType<typeof getDiffSegments>,
  renderMark: (key: number, content: string) => ReactNode,
): ReactNode[] {
  return segments.map(({ text, isUnique: isChanged }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: segments have no id
    isChanged ? renderMark(index, text) : <span key={index}>{text}</span>,
  )
}
