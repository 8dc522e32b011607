import { useState } from 'react'
import type { SoleVersion } from '#contract/keepers/sole.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Detail } from '#web/ui/panels/detail-list.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Ribbon } from '#web/ui/panels/ribbon.tsx'
import { CodeBlock } from '#web/ui/text/code-block.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { SourceChip } from './statement-row.tsx'

export function CurrentSole({
  activeVersion,
  canOpenSources,
}: {
  activeVersion: SoleVersion | undefined
  canOpenSources: boolean
}) {
  const [showsRaw, setShowsRaw] = useState(false)
  if (!activeVersion)
    return (
      <EmptyPanel drawing="seal" title="No SOLE yet">
        Nothing approved yet, so agents know nothing from here. Ask an agent for a draft, or write it yourself.
      </EmptyPanel>
    )
  return (
    <Card kind="paper" className="ps-10 phone:ps-9">
      <Ribbon className="start-4 h-9 w-[13px]" />
      <div className="flex flex-wrap items-start justify-between gap-3">
        <SoleDetails version={activeVersion} timestampLabel="Timestamp" />
        <Switch label="Raw JSON" checked={showsRaw} onCheckedChange={setShowsRaw} />
      </div>
      {showsRaw ? (
        <CodeBlock label="SOLE architecture as JSON" value={toSoleDocument(activeVersion)} className="mt-4" />
      ) : (
        <ul aria-label="Approved statements" className="mt-4 flex flex-col gap-3">
          {activeVersion.statements.map((statement) => (
            <li key={statement.id}>
              <p className="font-serif text-[1.125rem] leading-7 wrap-break-word">{statement.text}</p>
              {statement.sources.length > 0 && (
                <div className="mt-1 flex flex-wrap gap-1.5">
                  {statement.sources.map((source) => (
                    <SourceChip
                      key={`${source.entity} ${source.id} ${source.quote}`}
                      source={source}
                      keeperId={activeVersion.keeperId}
                      canOpenSources={canOpenSources}
                    />
                  ))}
                </div>
              )}
            </li>
          ))}
          {activeVersion.statements.length === 0 && (
            <li className="text-muted-foreground">Every statement was dropped, so this SOLE is empty.</li>
          )}
        </ul>
      )}
    </Card>
  )
}

export function SoleDetails({
  version,
  timestampLabel,
}: {
  version: SoleVersion
  timestampLabel: 'Timestamp' | 'Submitted at'
}) {
  return (
    <dl className="flex min-w-0 flex-wrap gap-x-6 gap-y-2 text-ui">
      <Detail label="Type">{version.type}</Detail>
      <Detail label="Author">
        {version.author}
        {version.authorKind === 'agent' && ' (agent)'}
        {version.authorKind === 'import' && ' (imported)'}
      </Detail>
      <Detail label={timestampLabel}>
        <Time value={timestampLabel === 'Timestamp' ? version.timestamp : version.submittedAt} timeStyle="date-time" />
      </Detail>
      <Detail label="Version">{version.version}</Detail>
    </dl>
  )
}

/** The SOLE document without history fields. */
function toSoleDocument({ version, type, content, author, timestamp, editable, statements }: SoleVersion) {
  return { version, type, content, author, timestamp, editable, statements }
}
