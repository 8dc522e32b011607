import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ContextText, intent } from '#contract/agents/intent.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { formatFullTime } from '../runs/log-texts.ts'

interface ContextTextFormProps {
  text: ContextText
  help: string
}

export function ContextTextForm({ text, help }: ContextTextFormProps) {
  const queryClient = useQueryClient()
  const [isResetting, setResetting] = useState(false)
  const sendText = (body: string, ifMatch: number) =>
    sendNow(intent.setContextText, { params: { scope: text.scope }, body: { body }, ifMatch })
  const applySaved = (saved: ContextText) =>
    queryClient.setQueryData<ContextText[]>(contextTextsKey, (previous) =>
      previous?.map((candidate) => (candidate.scope === saved.scope ? saved : candidate)),
    )
  const form = useEntityForm({
    draftKey: `kept/context-text/${text.scope}`,
    subject: text.scope,
    entity: text,
    toValues: ({ body }: ContextText) => ({ body }),
    blank: { body: '' },
    send: (_, { values: { body }, rev }) => sendText(body, rev ?? text.rev),
    onSaved: (result) => result?.state === 'sent' && applySaved(result.answer),
  })
  const { isDirty, discard, field } = form

  async function reset() {
    applySaved((await sendText('', text.rev)).answer)
    discard()
  }

  return (
    <>
      <EntityForm
        form={form}
        className="flex flex-col gap-3"
        saveLabel="Save"
        failureTitle="The text couldn’t be saved."
        disabled={!isDirty}
        note={
          <>
            {isDirty && (
              <Button variant="plain" onClick={discard}>
                Discard
              </Button>
            )}
            {text.updated_at && <Button onClick={() => setResetting(true)}>Reset to default</Button>}
            {isDirty && <span className="text-small text-muted-foreground">Not saved yet</span>}
          </>
        }
      >
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
          help={help}
          {...field('body')}
        />
      </EntityForm>
      <ConfirmDialog
        open={isResetting}
        onOpenChange={setResetting}
        title={`Reset ${text.scope}?`}
        confirmLabel="Reset to default"
        busyLabel="Resetting..."
        onConfirm={reset}
      >
        This restores the text that comes with Keeper. The current text is lost.
      </ConfirmDialog>
    </>
  )
}

export const contextTextsKey = ['context-texts'] as const
