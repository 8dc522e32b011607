import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { type SoleStatus, type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { diffStatements } from '#contract/keepers/sole-statements.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { useScrollToOpened } from '../entries/use-scroll-to-opened.ts'
import { useAutoLoad } from '../list-end.tsx'
import { StatementRow } from './statement-row.tsx'
import type { Sole } from './use-sole.ts'

const statusBadges: Record<SoleStatus, { label: string; tone: BadgeTone }> = {
  draft: { label: 'Awaiting Review', tone: 'warning' },
  active: { label: 'Active', tone: 'success' },
  superseded: { label: 'Superseded', tone: 'neutral' },
  rejected: { label: 'Rejected', tone: 'destructive' },
}

/** All versions with author, decision and changes; approved ones can be restored. */
export function SoleHistory({
  sole: { keeperId, versions, draft, list, refresh },
  openVersion,
}: {
  sole: Sole
  openVersion: number | undefined
}) {
  const [versionToRestore, setVersionToRestore] = useState<SoleVersion>()
  const oldestVersion = versions.at(-1)?.version ?? 0
  useAutoLoad(list, openVersion !== undefined && openVersion < oldestVersion)
  if (versions.length === 0) return null
  return (
    <section aria-labelledby="sole-history" className="mt-9">
      <h2 id="sole-history" className="mb-3">
        History
      </h2>
      <ol aria-label="Versions" className="flex flex-col">
        {versions.map((version) => (
          <VersionEntry
            key={version.version}
            version={version}
            isOpened={version.version === openVersion}
            onRestore={
              version.status === 'superseded' && version.decidedAt !== null
                ? () => setVersionToRestore(version)
                : undefined
            }
            canRestore={draft === undefined}
          />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          Show earlier versions
        </Button>
      )}
      {versions.length > 1 && <VersionComparison versions={versions} />}
      {versionToRestore && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setVersionToRestore(undefined)}
          title={`Restore version ${versionToRestore.version}?`}
          confirmLabel="Restore"
          busyLabel="Restoring..."
          tone="primary"
          onConfirm={async () => {
            await call(sole.restore, { params: { id: keeperId, version: versionToRestore.version } })
            await refresh()
          }}
        >
          Its statements become active again, as a new version. The current version stays in the history.
        </ConfirmDialog>
      )}
    </section>
  )
}

function getDecisionVerb({ status, reason }: SoleVersion): string {
  if (status === 'rejected') return 'Rejected'
  return reason?.startsWith('Restored') ? 'Restored' : 'Approved'
}

interface VersionEntryProps {
  version: SoleVersion
  isOpened: boolean
  onRestore: (() => void) | undefined
  canRestore: boolean
}

function VersionEntry({ version, isOpened, onRestore, canRestore }: VersionEntryProps) {
  const { label, tone } = statusBadges[version.status]
  const { decidedBy, decidedAt, reason, leftOut } = version
  const entryRef = useScrollToOpened<HTMLLIElement>(version.version, isOpened)
  return (
    <li
      ref={entryRef}
      {...(isOpened && { tabIndex: -1, 'aria-current': true })}
      className="border-t border-hairline py-3 outline-offset-4 last:border-b aria-[current]:border-s-2 aria-[current]:border-s-ribbon aria-[current]:ps-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h3 className="font-sans tracking-normal text-body font-semibold">Version {version.version}</h3>
        <Badge tone={tone}>{label}</Badge>
        <p className="min-w-0 flex-1 basis-56 text-small text-muted-foreground">
          By {version.author}, <Time value={version.submittedAt} timeStyle="date-time" />
          {decidedAt && (
            <>
              . {getDecisionVerb(version)} {decidedBy && `by ${decidedBy.name ?? 'an unnamed user'}`}{' '}
              <Time value={decidedAt} timeStyle="date-time" />
            </>
          )}
        </p>
        {onRestore && (
          <Button
            size="small"
            disabled={!canRestore}
            title={canRestore ? undefined : 'There’s already a draft. Approve or reject it first.'}
            onClick={onRestore}
            icon={<RotateCcw aria-hidden size={13} />}
          >
            Restore<span className="sr-only"> version {version.version}</span>
          </Button>
        )}
      </div>
      {reason && <p className="mt-1 font-serif text-[1rem] leading-6 italic wrap-break-word">{reason}</p>}
      <details open={isOpened} className="mt-1 text-ui">
        <summary className="tap-area w-fit cursor-pointer rounded-xs text-muted-foreground hover:text-foreground">
          {pluralize(version.statements.length, 'statement')}
          {leftOut.length > 0 && `, ${leftOut.length} not approved`}
        </summary>
        <ul className="mt-2 list-disc ps-5 font-serif text-[1rem] leading-6">
          {version.statements.map(({ id, text, kind }) => (
            <li key={id}>{kind === 'drop' ? <del dir="auto">{text}</del> : text}</li>
          ))}
          {leftOut.map(({ id, text }) => (
            <li key={id} className="text-muted-foreground">
              {text} <span className="font-sans text-small">(proposed, not approved)</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

function VersionComparison({ versions }: { versions: SoleVersion[] }) {
  const [newest, previous] = versions
  const [fromVersion, setFromVersion] = useState(previous?.version ?? 0)
  const [toVersion, setToVersion] = useState(newest?.version ?? 0)
  const options = versions.map(({ version, status }) => ({
    value: String(version),
    label: `Version ${version}, ${statusBadges[status].label.toLowerCase()}`,
  }))
  const getStatements = (versionNumber: number) =>
    versions.find(({ version }) => version === versionNumber)?.statements.filter(({ kind }) => kind !== 'drop') ?? []
  const changes = diffStatements(getStatements(fromVersion), getStatements(toVersion))
  return (
    <details className="mt-4">
      <summary className="tap-area w-fit cursor-pointer rounded-xs text-ui font-semibold">Compare two versions</summary>
      <div className="mt-3 flex flex-wrap gap-3">
        {(
          [
            ['From', fromVersion, setFromVersion],
            ['To', toVersion, setToVersion],
          ] as const
        ).map(([label, version, setVersion]) => (
          <SelectField
            key={label}
            label={label}
            className="w-64"
            value={String(version)}
            options={options}
            onChange={(event) => setVersion(Number(event.currentTarget.value))}
          />
        ))}
      </div>
      <ul aria-label={`Changes from version ${fromVersion} to ${toVersion}`} className="mt-3 flex flex-col gap-1.5">
        {changes.map(({ kind, before, after }) => (
          <StatementRow
            key={`${before?.id ?? ''} ${after?.id ?? ''}`}
            kind={kind}
            previousText={before?.text}
            nextText={after?.text}
            sources={after?.sources ?? []}
            keeperId={newest?.keeperId ?? ''}
            canOpenSources
          />
        ))}
        {changes.length === 0 && <li className="text-ui text-muted-foreground">Both versions are empty.</li>}
      </ul>
    </details>
  )
}
