import { useState } from 'react'
import { type FrameContents, previewedEntities, readContent } from '#contract/boards/frame-content.ts'
import { Button } from '#web/ui/button.tsx'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { PreviewEntity } from './preview-entity.tsx'
import { PreviewPage } from './preview-page.tsx'
import { PreviewPicker } from './preview-picker.tsx'

export type PreviewedEntity = (typeof previewedEntities)[number]

/** A read-only sandboxed page or live entity. */
export function PreviewFrame(props: FrameBodyProps) {
  const { frame, surroundings, changeContent } = props
  const content = readContent('preview', frame.data.content)
  const mayChange = surroundings.mode === 'edit'
  const [choosing, setChoosing] = useState(false)

  if (content.kind === 'page') {
    return (
      <PreviewPage
        html={content.html}
        name={frame.data.name}
        onChange={mayChange ? (html) => changeContent({ html }, `html/${frame.id}`) : undefined}
        onChooseEntity={mayChange ? () => changeContent({ kind: 'entity' }) : undefined}
      />
    )
  }
  if (surroundings.mode === 'sample') return <SamplePreview />
  if (surroundings.linkToken) return <FrameNote>This frame isn’t available through a link.</FrameNote>
  const shown = shownEntity(content, props)
  if ((!shown && mayChange) || choosing) {
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
        onCancel={shown ? () => setChoosing(false) : undefined}
      />
    )
  }
  if (!shown) return <FrameNote>Nothing chosen yet.</FrameNote>
  return (
    <div className="group/preview relative h-full">
      <PreviewEntity
        key={`${shown.entity} ${shown.entityId}`}
        {...shown}
        onChooseAnother={mayChange ? () => setChoosing(true) : undefined}
      />
      {mayChange && (
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
function shownEntity(
  { entity, entityId }: FrameContents['preview'],
  { frame, surroundings }: FrameBodyProps,
): { entity: PreviewedEntity; entityId: string } | undefined {
  if (entity && entityId) return { entity, entityId }
  for (const of of [frame, surroundings]) {
    const known = previewedEntities.find((each) => each === of.entityType)
    if (known && of.entityId) return { entity: known, entityId: of.entityId }
  }
}

function SamplePreview() {
  return (
    <blockquote className="px-3.5 py-3 font-serif text-[17px] leading-[23px] italic">
      “Nothing here asks to be photographed.”
    </blockquote>
  )
}
