import { useState } from 'react'
import { type FrameContents, previewedEntities, readContent } from '#contract/boards/frame-content.ts'
import { Button } from '#web/ui/controls/button.tsx'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { PreviewEntity } from './preview-entity.tsx'
import { PreviewPage } from './preview-page.tsx'
import { PreviewPicker } from './preview-picker.tsx'

export type PreviewedEntity = (typeof previewedEntities)[number]

export function PreviewFrame(props: FrameBodyProps) {
  const { frame, context, changeContent } = props
  const content = readContent('preview', frame.data.content)
  const canChange = context.mode === 'edit'
  const [choosing, setChoosing] = useState(false)

  if (content.kind === 'page') {
    return (
      <PreviewPage
        html={content.html}
        name={frame.data.name}
        onChange={canChange ? (html) => changeContent({ html }, `html/${frame.id}`) : undefined}
        onChooseEntity={canChange ? () => changeContent({ kind: 'entity' }) : undefined}
      />
    )
  }
  if (context.mode === 'sample') return <SamplePreview />
  if (context.linkToken) return <FrameNote>This frame isn’t available through a link.</FrameNote>
  const previewed = getPreviewedEntity(content, props)
  if ((!previewed && canChange) || choosing) {
    return (
      <PreviewPicker
        onChoose={(entity, entityId) => {
          setChoosing(false)
          changeContent({ kind: 'entity', entity, entityId })
        }}
        onPage={() => {
          setChoosing(false)
          changeContent({ kind: 'page' })
        }}
        onCancel={previewed ? () => setChoosing(false) : undefined}
      />
    )
  }
  if (!previewed) return <FrameNote>Nothing chosen yet.</FrameNote>
  return (
    <div className="group/preview relative h-full">
      <PreviewEntity
        key={`${previewed.entity} ${previewed.entityId}`}
        {...previewed}
        onChooseAnother={canChange ? () => setChoosing(true) : undefined}
      />
      {canChange && (
        <Button
          size="small"
          onClick={() => setChoosing(true)}
          className="absolute end-2 top-2 opacity-0 group-hover/preview:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
        >
          Choose another
        </Button>
      )}
    </div>
  )
}

/** The chosen entity, else that of the frame or its board. */
function getPreviewedEntity(
  { entity, entityId }: FrameContents['preview'],
  { frame, context }: FrameBodyProps,
): { entity: PreviewedEntity; entityId: string } | undefined {
  if (entity && entityId) return { entity, entityId }
  for (const owner of [frame, context]) {
    const entityType = previewedEntities.find((candidate) => candidate === owner.entityType)
    if (entityType && owner.entityId) return { entity: entityType, entityId: owner.entityId }
  }
}

function SamplePreview() {
  return (
    <blockquote className="px-3.5 py-3 font-serif text-[17px] leading-[23px] italic">
      “Nothing here asks to be photographed.”
    </blockquote>
  )
}
