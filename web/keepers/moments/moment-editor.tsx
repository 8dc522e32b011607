import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { mediaKinds } from '#contract/keepers/media.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { useUploads } from '../media/form-uploads.ts'
import {
  createBlankMomentDraft,
  formatMomentField,
  getChangedFields,
  hasContent,
  toCreateBody,
  toMomentDraft,
} from './moment-draft.ts'
import { MomentForm } from './moment-form.tsx'
import { useInvalidateMoments } from './moment-queries.ts'

export function MomentEditor({ keeper, moment, onClose }: { keeper: Keeper; moment: Moment; onClose: () => void }) {
  const invalidateMoments = useInvalidateMoments(keeper.id)
  // The text must not change under the cursor while the page shows newer versions.
  const [openedMoment] = useState(moment)
  const draftKey = `moment/${moment.id}`
  const form = useEntityForm({
    draftKey,
    subject: 'This moment',
    entity: openedMoment,
    toValues: toMomentDraft,
    blank: createBlankMomentDraft(),
    toBody: (draft, previous) => (previous ? getChangedFields(previous, draft) : toCreateBody(draft)),
    formatField: formatMomentField,
    send: (body, { rev }) =>
      sendOrQueue(
        moments.update,
        { params: { id: moment.id }, body, ifMatch: rev ?? moment.rev },
        { what: 'Moment', keeperId: keeper.id },
      ),
    async onSaved(result) {
      if (result?.state === 'sent') await invalidateMoments()
      closeEditor()
    },
  })
  const uploads = useUploads({
    keeperId: keeper.id,
    draftKey,
    kinds: mediaKinds,
    ready: form.ready,
    onPicked: (pickedMedia) => form.set(({ media }) => ({ media: [...media, pickedMedia] })),
  })
  function closeEditor() {
    uploads.stopAll()
    form.discard()
    onClose()
  }
  const canSave = hasContent(form.values) && !uploads.busy && form.ready
  return (
    <MomentForm
      form={form}
      label="Edit moment"
      canSave={canSave}
      keeper={keeper}
      uploads={uploads}
      textRef={focusAtEnd}
      status={form.restored && 'Your unsaved changes'}
    >
      <Button onClick={closeEditor}>Cancel</Button>
      <Button type="submit" variant="primary" disabled={!canSave} busy={form.isSaving} busyLabel="Saving...">
        Save
      </Button>
    </MomentForm>
  )
}

function focusAtEnd(text: HTMLTextAreaElement | null): void {
  text?.focus({ preventScroll: true })
  text?.setSelectionRange(text.value.length, text.value.length)
}
