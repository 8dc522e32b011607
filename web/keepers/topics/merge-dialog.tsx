import { useState } from 'react'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { call } from '#web/api/api.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'

interface MergeDialogProps {
  topic: Topic
  otherTopics: readonly Topic[]
  /** Called with `true` when merging starts and `false` if it fails. */
  onMerging: (merging: boolean) => void
  /** The merge can be undone by `mergeId`. */
  onMerged: (target: Topic, mergeId: string) => Promise<unknown>
  onClose: () => void
}

export function MergeDialog({ topic, otherTopics, onMerging, onMerged, onClose }: MergeDialogProps) {
  const [targetId, setTargetId] = useState('')
  const target = otherTopics.find(({ id }) => id === targetId)

  async function merge() {
    if (!target) throw new Error('Choose a topic.')
    onMerging(true)
    try {
      const { mergeId } = await call(topics.merge, { params: { id: topic.id, targetId: target.id } })
      await onMerged(target, mergeId)
    } catch (reason) {
      onMerging(false)
      throw reason
    }
  }

  return (
    <ConfirmDialog
      open
      tone="primary"
      onOpenChange={(open) => !open && onClose()}
      title={`Merge ${topic.name} into another topic?`}
      confirmLabel="Merge topics"
      busyLabel="Merging..."
      onConfirm={merge}
    >
      <SelectField
        label="Merge into"
        placeholder="Choose a topic"
        options={otherTopics.map(({ id, name, total }) => ({ value: id, label: `${name} (${total})` }))}
        value={targetId}
        onChange={(event) => setTargetId(event.currentTarget.value)}
        className="mb-3"
      />
      <p>
        Everything about {topic.name} will be filed under {target?.name ?? 'the other topic'}, and “{topic.name}”
        becomes another name for it. Your text stays as you wrote it, and you can undo the merge.
      </p>
    </ConfirmDialog>
  )
}
