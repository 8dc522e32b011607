import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ContextText, intent } from '#contract/agents/intent.ts'
import { ApiError, call } from '#web/api.ts'
import { ConflictDialog, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { createStoredDraft, useDecryptedDrafts } from '../form/stored-draft.ts'
import { formatFullTime } from '../runs/log-times.ts'
import { contextTextsKey } from './context-texts-key.ts'

interface ContextTextFormProps {
  text: ContextText
  help: string
}

export function ContextTextForm({ text, help }: ContextTextFormProps) {
  useDecryptedDrafts()
  const queryClient = useQueryClient()
  const draft = createStoredDraft(`context-text/${text.scope}`, isDraftText)
  const [draftText, setDraftText] = useState(() => draft.read())
  const [current, setCurrent] = useState<ContextText>()
  const [busy, setBusy] = useState<'saving' | 'resetting'>()
  const [resetting, setResetting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const body = draftText?.body ?? text.body
  const isDirty = body !== text.body

  async function send(newBody: string, action: 'saving' | 'resetting', ifMatch = draftText?.rev ?? text.rev) {
    setBusy(action)
    setProblem(undefined)
    try {
      const saved = await call(intent.setContextText, {
        params: { scope: text.scope },
        body: { body: newBody },
        ifMatch,
      })
      queryClient.setQueryData<ContextText[]>(contextTextsKey, (previous) =>
        previous?.map((candidate) => (candidate.scope === saved.scope ? saved : candidate)),
      )
      draft.clear()
      setDraftText(undefined)
    } catch (reason) {
      if (action === 'saving' && getConflict(reason)) throw reason
      const field = reason instanceof ApiError ? reason.fields?.body : undefined
      setProblem(field ?? (reason as Error).message)
      throw reason
    } finally {
      setBusy(undefined)
    }
  }

  function save(event: FormEvent) {
    event.preventDefault()
    // Other errors are shown below the text field.
    if (isDirty && !busy) send(body, 'saving').catch((reason) => setCurrent(getConflict<ContextText>(reason)?.current))
  }

  return (
    <form onKeyDown={onSubmitKey} onSubmit={save} className="flex flex-col gap-3">
      <ReadOnlyWhile while={busy !== undefined}>
        <TextArea
          label={<span className="font-mono">{text.scope}</span>}
          aside={
            text.updated_at ? (
              `Changed ${formatFullTime(text.updated_at)}`
            ) : (
              <Badge tone="outlined">comes with Keeper</Badge>
            )
          }
          rows={text.body ? 8 : 3}
          value={body}
          help={help}
          error={problem}
          onChange={({ currentTarget: { value } }) => {
            const next = { body: value, rev: draftText?.rev ?? text.rev }
            setDraftText(next)
            draft.write(next)
          }}
        />
      </ReadOnlyWhile>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={!isDirty} busy={busy === 'saving'} busyLabel="Saving...">
          Save
        </Button>
        {isDirty && (
          <Button
            variant="plain"
            onClick={() => {
              draft.clear()
              setDraftText(undefined)
              setProblem(undefined)
            }}
          >
            Discard
          </Button>
        )}
        {text.updated_at && <Button onClick={() => setResetting(true)}>Reset to default</Button>}
        {isDirty && <span className="text-small text-muted-foreground">Not saved yet</span>}
      </div>
      {current && (
        <ConflictDialog
          open
          subject={text.scope}
          fields={[{ name: 'body', label: 'Text', yours: body, current: current.body }]}
          conflictKey={`context-text/${text.scope}`}
          onResolve={(values) =>
            saveOrResolveAgain<ContextText>(send(values.body ?? body, 'saving', current.rev), setCurrent)
          }
          onOpenChange={(open) => !open && setCurrent(undefined)}
        />
      )}
      <ConfirmDialog
        open={resetting}
        onOpenChange={setResetting}
        title={`Reset ${text.scope}?`}
        confirmLabel="Reset to default"
        busyLabel="Resetting..."
        onConfirm={() => send('', 'resetting')}
        error={problem}
      >
        This restores the text that comes with Keeper. The current text is lost.
      </ConfirmDialog>
    </form>
  )
}

interface DraftText {
  body: string
  rev: number
}

const isDraftText = (value: unknown): value is DraftText => {
  const { body, rev } = (value ?? {}) as Partial<DraftText>
  return typeof body === 'string' && typeof rev === 'number'
}
