import { PenLine } from 'lucide-react'
import { useState } from 'react'
import { splitSentences } from '#contract/keepers/sole-statements.ts'
import { ApiError } from '#web/api/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import type { Sole } from './use-sole.ts'

export function WriteDraft({ sole, onCreated }: { sole: Sole; onCreated: (version: number) => void }) {
  const [open, setOpen] = useState(false)
  const hasDraft = sole.draft !== undefined
  return (
    <section aria-labelledby="write-draft">
      <h2 id="write-draft" className="mb-2 text-[17px]">
        Write it yourself
      </h2>
      <p className="mb-3 text-ui text-muted-foreground">
        Your own text becomes a draft too, so you can see what changes.
      </p>
      <Button disabled={hasDraft} onClick={() => setOpen(true)} icon={<PenLine aria-hidden size={15} />}>
        Write a draft
      </Button>
      {open && <DraftEditorDialog sole={sole} onCreated={onCreated} onClose={() => setOpen(false)} />}
    </section>
  )
}

interface DraftEditorDialogProps {
  sole: Sole
  onCreated: (version: number) => void
  onClose: () => void
}

function DraftEditorDialog({ sole, onCreated, onClose }: DraftEditorDialogProps) {
  const activeText = sole.active?.statements.map(({ text }) => text).join('\n') ?? ''
  const { value, set, clear, restored, ready } = useDraft(`sole/${sole.keeperId}`, activeText)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  // The discarded text, available for Undo until the next edit.
  const [discardedText, setDiscardedText] = useState<string>()
  const count = splitSentences(value).length

  function startOver() {
    setDiscardedText(discardedText === undefined ? value : undefined)
    if (discardedText === undefined) clear()
    else set(discardedText)
  }

  async function submit() {
    setBusy(true)
    setFailure(undefined)
    try {
      const version = await sole.backend.submit(value)
      clear()
      onClose()
      await sole.refresh()
      onCreated(version)
    } catch (error) {
      setFailure(
        error instanceof ApiError
          ? error.message
          : 'The server couldn’t be reached. Your text is safe in this browser.',
      )
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      size="large"
      title="Write a draft"
      description="Each sentence is a statement. Leave one out to propose dropping it; reword one to propose a change."
      footer={
        <>
          <p className="me-auto self-center text-small text-muted-foreground tabular-nums">
            {count} {count === 1 ? 'statement' : 'statements'}
            {restored && ', restored from your draft'}
          </p>
          <Button disabled={busy || (value === activeText && discardedText === undefined)} onClick={startOver}>
            {discardedText === undefined ? 'Start over' : 'Undo'}
          </Button>
          <Button variant="primary" busy={busy} busyLabel="Submitting..." disabled={count === 0} onClick={submit}>
            Submit for review
          </Button>
        </>
      }
    >
      <ReadOnlyWhile while={busy}>
        <TextArea
          label="The story"
          serif
          rows={10}
          value={ready ? value : ''}
          disabled={!ready}
          maxLength={100_000}
          onChange={(event) => {
            setDiscardedText(undefined)
            set(event.currentTarget.value)
          }}
        />
      </ReadOnlyWhile>
      {failure && (
        <Banner tone="error" className="mt-3">
          {failure}
        </Banner>
      )}
    </Dialog>
  )
}
