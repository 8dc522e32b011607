import { useState } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { formatList } from '#contract/boards/frame-types.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { BoardConflict, ConflictChoice } from '../document/board-changes.ts'
import type { BoardState } from '../document/board-editor.ts'
import { useBoardEditor } from '../document/use-board-editor.tsx'
import { BoardPicture } from './board-picture.tsx'
import {
  describeChanges,
  formatBoardValue,
  formatFieldValue,
  getBoardFieldName,
  getConfigName,
} from './describe-changes.ts'

interface BoardConflictDialogProps {
  conflict: NonNullable<BoardState['conflict']>
  onClose: () => void
  /** Resolves to whether the merged board was saved. */
  onResolved: () => Promise<boolean>
}

export default function BoardConflictDialog({ conflict, onClose, onResolved }: BoardConflictDialogProps) {
  const editor = useBoardEditor()
  const [choices, setChoices] = useState<ReadonlyMap<string, ConflictChoice>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const { conflicts, remoteChanges, remote } = conflict
  const changeSentences = describeChanges(remoteChanges)
  const openCount = conflicts.filter(({ id }) => !choices.has(id)).length

  const decide = (ids: string[], choice: ConflictChoice) =>
    setChoices(new Map([...choices, ...ids.map((id): [string, ConflictChoice] => [id, choice])]))

  async function saveChoices() {
    setBusy(true)
    editor.resolve(choices)
    onClose()
    await onResolved()
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="This board was saved elsewhere while you were editing"
      description="Someone else saved the board, or you did in another tab. Nothing is overwritten. Compare both versions and choose what to keep."
      size="wide"
      footer={
        <>
          {openCount > 0 && (
            <p className="me-auto self-center text-small text-muted-foreground">
              {pluralize(openCount, 'conflict')} to decide
            </p>
          )}
          <Button onClick={onClose}>Decide Later</Button>
          <Button variant="primary" busy={isBusy} disabled={openCount > 0} onClick={() => void saveChoices()}>
            {conflicts.length === 0 ? 'Keep Both and Save' : 'Save My Choices'}
          </Button>
        </>
      }
    >
      <section aria-labelledby="what-they-changed">
        <h3 id="what-they-changed" className="font-sans text-ui font-semibold">
          What changed in the other version
        </h3>
        <div className="mt-2 grid grid-cols-2 gap-4 phone:grid-cols-1">
          <BoardPicture
            frames={remote.frames}
            highlightedIds={new Set(remoteChanges.frames.map(({ id }) => id))}
            label="The other version of the board"
          />
          <ul className="flex max-h-40 list-disc flex-col gap-1 overflow-y-auto ps-4 text-ui">
            {changeSentences.length === 0 && <li>Nothing differs from your version.</li>}
            {changeSentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      </section>
      {conflicts.length === 0 ? (
        <Banner tone="success" className="mt-4">
          Nothing conflicts with your changes, so both are kept.
        </Banner>
      ) : (
        <section aria-labelledby="to-decide" className="mt-5">
          <div className="flex flex-wrap items-center gap-2">
            <h3 id="to-decide" className="me-auto font-sans text-ui font-semibold">
              Changed by both
            </h3>
            {conflicts.length > 1 &&
              (['local', 'remote'] as const).map((choice) => (
                <Button
                  key={choice}
                  size="small"
                  onClick={() =>
                    decide(
                      conflicts.map(({ id }) => id),
                      choice,
                    )
                  }
                >
                  {choice === 'local' ? 'All Mine' : 'All Theirs'}
                </Button>
              ))}
          </div>
          <ul className="mt-2 flex flex-col gap-3">
            {conflicts.map((boardConflict) => (
              <li key={boardConflict.id} className="rounded-lg border border-border bg-card p-4">
                <ConflictChoiceRow
                  conflict={boardConflict}
                  choice={choices.get(boardConflict.id)}
                  onChoose={(choice) => decide([boardConflict.id], choice)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}

interface ConflictChoiceRowProps {
  conflict: BoardConflict
  choice: ConflictChoice | undefined
  onChoose: (choice: ConflictChoice) => void
}

function ConflictChoiceRow({ conflict, choice, onChoose }: ConflictChoiceRowProps) {
  const { title, fields } = describeConflict(conflict)
  const canKeepBoth = conflict.kind === 'frame' && conflict.local !== null && conflict.remote !== null
  const options = [
    { value: 'local' as const, label: 'Mine' },
    { value: 'remote' as const, label: 'Theirs' },
    ...(canKeepBoth ? [{ value: 'both' as const, label: 'Both' }] : []),
  ]
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p dir="auto" className="min-w-0 flex-1 font-semibold wrap-break-word">
          {title}
        </p>
        <SegmentedControl
          label={`Version to keep: ${title}`}
          options={options}
          value={choice ?? ('' as ConflictChoice)}
          onValueChange={onChoose}
        />
      </div>
      <div className="mt-3 grid grid-cols-2 gap-4 phone:grid-cols-1">
        <ConflictSide name="Mine" conflict={conflict} version="local" fields={fields} />
        <ConflictSide name="Theirs" conflict={conflict} version="remote" fields={fields} />
      </div>
      {choice === 'both' && (
        <p className="mt-2 text-small text-muted-foreground">
          Their frame stays in place, and yours becomes a new frame next to it.
        </p>
      )}
    </>
  )
}

function describeConflict(conflict: BoardConflict): { title: string; fields: string[] } {
  if (conflict.kind === 'config') return { title: `The ${getConfigName(conflict.id)}`, fields: [] }
  const { local, remote, fields } = conflict
  const name = `“${(local ?? remote)?.data.name ?? ''}”`
  if (!local) return { title: `${name}: you deleted it, they changed it`, fields: [] }
  if (!remote) return { title: `${name}: you changed it, they deleted it`, fields: [] }
  return { title: `${name}: ${formatList([...new Set(fields.map(getBoardFieldName))])}`, fields }
}

interface ConflictSideProps {
  name: string
  conflict: BoardConflict
  version: 'local' | 'remote'
  fields: string[]
}

function ConflictSide({ name, conflict, version, fields }: ConflictSideProps) {
  const frame = conflict.kind === 'frame' ? conflict[version] : null
  return (
    <div className="min-w-0">
      <p dir="auto" className="text-small font-label text-muted-foreground">
        {name}
      </p>
      {conflict.kind === 'config' ? (
        <ConfigValue value={conflict[version]} />
      ) : (
        <FrameFields frame={frame} fields={fields} />
      )}
      {frame && <BoardPicture frames={[frame]} className="mt-2 h-24" label={`${name}: ${frame.data.name}`} />}
    </div>
  )
}

function FrameFields({ frame, fields }: { frame: Frame | null; fields: readonly string[] }) {
  if (!frame) return <p className="mt-1 text-ui">Deleted.</p>
  if (fields.length === 0) return <p className="mt-1 text-ui">Kept.</p>
  return (
    <dl className="mt-1 flex flex-col gap-1.5 text-ui">
      {fields.map((field) => (
        <div key={field}>
          <dt className="text-small text-muted-foreground">{getBoardFieldName(field)}</dt>
          <dd className="line-clamp-6 wrap-anywhere whitespace-pre-wrap">{formatFieldValue(frame, field)}</dd>
        </div>
      ))}
    </dl>
  )
}

function ConfigValue({ value }: { value: unknown }) {
  const colors = typeof value === 'object' && value !== null ? (Object.values(value) as string[]) : []
  return (
    <div className="mt-1 flex items-center gap-2 text-ui">
      {colors.map((color, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four colors in a fixed order; some can be equal
        <span key={index} className="size-5 rounded-xs border border-border" style={{ background: color }} />
      ))}
      <span className="min-w-0 line-clamp-6 wrap-anywhere">{formatBoardValue(value)}</span>
    </div>
  )
}
