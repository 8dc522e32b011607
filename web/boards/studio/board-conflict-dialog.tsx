import { useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { counted } from '#web/ui/counted.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import type { Choice, Conflict } from '../document/board-changes.ts'
import type { BoardState } from '../document/board-editor.ts'
import { useBoardEditor } from '../document/use-board-editor.tsx'
import { BoardPicture } from './board-picture.tsx'
import { configName, fieldName, inWords, listed, sentencesOf, valueInWords } from './change-words.ts'

interface BoardConflictDialogProps {
  conflict: NonNullable<BoardState['conflict']>
  onClose: () => void
  /** Resolves to whether the merged board was saved. */
  onDecided: () => Promise<boolean>
}

export default function BoardConflictDialog({ conflict, onClose, onDecided }: BoardConflictDialogProps) {
  const editor = useBoardEditor()
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [busy, setBusy] = useState(false)
  const { conflicts, theirChanges, theirs } = conflict
  const sentences = sentencesOf(theirChanges)
  const open = conflicts.filter(({ id }) => !choices.has(id)).length

  const decide = (ids: string[], choice: Choice) =>
    setChoices(new Map([...choices, ...ids.map((id): [string, Choice] => [id, choice])]))

  async function keep() {
    setBusy(true)
    editor.resolve(choices)
    onClose()
    await onDecided()
  }

  return (
    <Dialog
      open
      onOpenChange={(stays) => !stays && onClose()}
      title="This board was saved elsewhere while you were editing"
      description="Someone else saved it, or you did in another tab. Nothing is overwritten: compare both and choose what to keep."
      size="wide"
      footer={
        <>
          {open > 0 && (
            <p className="me-auto self-center text-small text-muted-foreground">
              {counted(open, 'conflict')} to decide
            </p>
          )}
          <Button onClick={onClose}>Decide Later</Button>
          <Button variant="primary" busy={busy} disabled={open > 0} onClick={() => void keep()}>
            {conflicts.length === 0 ? 'Keep Both and Save' : 'Save My Choices'}
          </Button>
        </>
      }
    >
      <section aria-labelledby="what-they-changed">
        <h3 id="what-they-changed" className="font-sans text-ui font-semibold">
          What changed there
        </h3>
        <div className="mt-2 grid grid-cols-2 gap-4 phone:grid-cols-1">
          <BoardPicture
            frames={theirs.frames}
            marked={new Set(theirChanges.frames.map(({ id }) => id))}
            label="The board as saved there"
          />
          <ul className="flex max-h-40 list-disc flex-col gap-1 overflow-y-auto ps-4 text-ui">
            {sentences.length === 0 && <li>Nothing differs from your version.</li>}
            {sentences.map((sentence) => (
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
            {conflicts.length > 1 && (
              <>
                <Button
                  size="small"
                  onClick={() =>
                    decide(
                      conflicts.map(({ id }) => id),
                      'mine',
                    )
                  }
                >
                  All Mine
                </Button>
                <Button
                  size="small"
                  onClick={() =>
                    decide(
                      conflicts.map(({ id }) => id),
                      'theirs',
                    )
                  }
                >
                  All Theirs
                </Button>
              </>
            )}
          </div>
          <ul className="mt-2 flex flex-col gap-3">
            {conflicts.map((each) => (
              <li key={each.id} className="rounded-lg border border-border bg-card p-4">
                <OneConflict
                  conflict={each}
                  choice={choices.get(each.id)}
                  onChoose={(choice) => decide([each.id], choice)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}

interface OneConflictProps {
  conflict: Conflict
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

function OneConflict({ conflict, choice, onChoose }: OneConflictProps) {
  const { title, fields } = told(conflict)
  const mayKeepBoth = conflict.kind === 'frame' && conflict.mine !== null && conflict.theirs !== null
  const options = [
    { value: 'mine' as const, label: 'Mine' },
    { value: 'theirs' as const, label: 'Theirs' },
    ...(mayKeepBoth ? [{ value: 'both' as const, label: 'Both' }] : []),
  ]
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 font-semibold wrap-break-word">{title}</p>
        <SegmentedControl
          label={`Version to keep: ${title}`}
          options={options}
          value={choice ?? ('' as Choice)}
          onValueChange={onChoose}
        />
      </div>
      <div className="mt-3 grid grid-cols-2 gap-4 phone:grid-cols-1">
        <Side name="Mine" conflict={conflict} which="mine" fields={fields} />
        <Side name="Theirs" conflict={conflict} which="theirs" fields={fields} />
      </div>
      {choice === 'both' && (
        <p className="mt-2 text-small text-muted-foreground">
          Their frame stays in place, and yours becomes a new frame next to it.
        </p>
      )}
    </>
  )
}

function told(conflict: Conflict): { title: string; fields: string[] } {
  if (conflict.kind === 'config') return { title: `The ${configName(conflict.id)}`, fields: [] }
  const { mine, theirs, fields } = conflict
  const name = `“${(mine ?? theirs)?.data.name ?? ''}”`
  if (!mine) return { title: `${name}: deleted here, changed there`, fields: [] }
  if (!theirs) return { title: `${name}: changed here, deleted there`, fields: [] }
  return { title: `${name}: ${listed([...new Set(fields.map(fieldName))])}`, fields }
}

interface SideProps {
  name: string
  conflict: Conflict
  which: 'mine' | 'theirs'
  fields: string[]
}

function Side({ name, conflict, which, fields }: SideProps) {
  const frame = conflict.kind === 'frame' ? conflict[which] : null
  return (
    <div className="min-w-0">
      <p className="text-small font-label text-muted-foreground">{name}</p>
      {conflict.kind === 'config' ? (
        <ConfigValue value={conflict[which]} />
      ) : frame && fields.length === 0 ? (
        <p className="mt-1 text-ui">Kept.</p>
      ) : frame ? (
        <dl className="mt-1 flex flex-col gap-1.5 text-ui">
          {fields.map((field) => (
            <div key={field}>
              <dt className="text-small text-muted-foreground">{fieldName(field)}</dt>
              <dd className="line-clamp-6 wrap-anywhere whitespace-pre-wrap">{valueInWords(frame, field)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="mt-1 text-ui">Deleted.</p>
      )}
      {frame && <BoardPicture frames={[frame]} className="mt-2 h-24" label={`${name}: ${frame.data.name}`} />}
    </div>
  )
}

function ConfigValue({ value }: { value: unknown }) {
  const colours = typeof value === 'object' && value !== null ? (Object.values(value) as string[]) : []
  return (
    <div className="mt-1 flex items-center gap-2 text-ui">
      {colours.map((colour, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four colours in their order, some may be the same
        <span key={at} className="size-5 rounded-xs border border-border" style={{ background: colour }} />
      ))}
      <span className="min-w-0 line-clamp-6 wrap-anywhere">{inWords(value)}</span>
    </div>
  )
}
