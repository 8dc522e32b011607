import { Sparkles } from 'lucide-react'
import { type FormEvent, useEffect, useId, useState } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { frameSlug } from '#contract/boards/boards.ts'
import {
  acceptsFrame,
  describeAcceptedFrames,
  describePatternMismatch,
  type EngagementPattern,
  engagementPatterns,
  frameTypes,
  getFrameTypeName,
  isFrameType,
} from '#contract/boards/frame-types.ts'
import { DraftRestoredNote } from '#web/offline/entity-form.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { submitOnKey } from '#web/ui/fields/field-keys.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { changeFrame, toUniqueSlug } from '../document/board-document.ts'
import { useBoard, useBoardEditor, useFrame } from '../document/use-board-editor.tsx'
import { ContentFields } from './content-fields.tsx'
import { getFrameKey } from './frame-query.tsx'
import { PatternSlots } from './pattern-slots.tsx'

const assistHints: Record<EngagementPattern, string> = {
  dialogic: 'A conversation with its subject next to it.',
  wizard: 'Step by step: a process shows the current step, and you fill in a panel as you go.',
  canvas: 'Everything stays where you put it.',
  focus: 'One thing at a time, as large as possible.',
  gallery: 'Pictures side by side, to browse.',
  form: 'Settings to fill in, one below the other.',
}

/** Why a frame can't have a pattern, or undefined. */
export function getPatternProblem(pattern: EngagementPattern, frameType: string): string | undefined {
  return acceptsFrame(pattern, frameType) ? undefined : describePatternMismatch(pattern, frameType)
}

export function getAssistHint(pattern: EngagementPattern, frameType: string): string {
  const definition = isFrameType(frameType) ? frameTypes[frameType] : undefined
  if (!definition) return assistHints[pattern]
  if (!acceptsFrame(pattern, frameType)) return `${assistHints[pattern]} ${describePatternMismatch(pattern, frameType)}`
  if (pattern === definition.pattern) return `${assistHints[pattern]} ${definition.name} works best here.`
  return `${assistHints[pattern]} ${definition.name} works here too, but works best in ${definition.pattern}.`
}

interface FrameSettings {
  name: string
  slug: string
  pattern: EngagementPattern
  content: Record<string, unknown>
}

export const toFrameSettings = ({ data, FrameConfig }: Frame): FrameSettings => ({
  name: data.name,
  slug: data.slug,
  pattern: FrameConfig.engagementMode,
  content: data.content,
})

/** Changed text for copying. */
export function getChangedText(initial: FrameSettings, { name, slug, content }: FrameSettings): string {
  const initialValues: Record<string, unknown> = { ...initial.content, name: initial.name, slug: initial.slug }
  return Object.entries({ name, slug, ...content })
    .flatMap(([key, value]) =>
      typeof value === 'string' && value.trim() !== '' && value !== initialValues[key] ? [value] : [],
    )
    .join('\n\n')
}

/** Problems by field, with an available `freeSlug` if the slug is taken. */
export function validateSettings(
  settings: FrameSettings,
  frame: Frame,
  frames: readonly Frame[],
): { name?: string; slug?: string; pattern?: string; freeSlug?: string } {
  const patternProblem = getPatternProblem(settings.pattern, frame.data.frameType)
  return {
    ...(settings.name.trim() === '' && { name: 'Enter a name.' }),
    ...validateSlug(settings.slug.trim(), frame, frames),
    ...(patternProblem && { pattern: patternProblem }),
  }
}

function validateSlug(slug: string, frame: Frame, frames: readonly Frame[]): { slug?: string; freeSlug?: string } {
  if (slug === '') return { slug: 'Enter a slug.' }
  const parsedSlug = frameSlug.safeParse(slug)
  if (!parsedSlug.success) return { slug: parsedSlug.error.issues[0]?.message ?? 'Use another slug.' }
  const freeSlug = toUniqueSlug(frames, slug, frame.id)
  return freeSlug === slug ? {} : { slug: 'Another frame on this board has this slug.', freeSlug }
}

/** Applies changes made since the dialog opened and keeps concurrent ones. */
export function applySettings(frame: Frame, initial: FrameSettings, settings: FrameSettings): Frame {
  const pickChanged = <Key extends 'name' | 'slug' | 'pattern'>(key: Key, current: FrameSettings[Key]) =>
    settings[key] === initial[key] ? current : settings[key]
  const name = pickChanged('name', frame.data.name).trim()
  const content = { ...frame.data.content }
  for (const [key, value] of Object.entries(settings.content)) {
    if (value !== initial.content[key]) content[key] = value
  }
  return {
    ...frame,
    data: { ...frame.data, name, slug: pickChanged('slug', frame.data.slug).trim(), content },
    FrameConfig: {
      ...frame.FrameConfig,
      name,
      engagementMode: pickChanged('pattern', frame.FrameConfig.engagementMode),
    },
  }
}

interface FrameSettingsDialogProps {
  frameId: string
  onClose: () => void
}

/** Saving changes the open board, undoably. */
export default function FrameSettingsDialog({ frameId, onClose }: FrameSettingsDialogProps) {
  const frame = useFrame(frameId)
  const isDeleted = frame === undefined
  // Someone else can delete the frame.
  useEffect(() => {
    if (isDeleted) onClose()
  }, [isDeleted, onClose])
  return frame ? <OpenSettings frame={frame} onClose={onClose} /> : null
}

function OpenSettings({ frame, onClose }: { frame: Frame; onClose: () => void }) {
  const editor = useBoardEditor()
  const frames = useBoard(({ document }) => document.frames)
  const formId = useId()
  const [initialDraft] = useState(() => ({ before: toFrameSettings(frame), settings: toFrameSettings(frame) }))
  const draft = useDraft(`frame/${getFrameKey(editor.id, frame.id)}/settings`, initialDraft)
  const { before: initialSettings, settings } = draft.value
  const [hasTriedSaving, setHasTriedSaving] = useState(false)
  const { frameType } = frame.data
  const isReadOnly = !editor.canEdit
  /** Edit rights were lost while there were changes. */
  const hasUnsavableDraft = isReadOnly && draft.value !== initialDraft
  const changedText = getChangedText(initialSettings, settings)
  const problems = validateSettings(settings, frame, frames)
  const change = (changes: Partial<FrameSettings>) =>
    draft.set({ before: initialSettings, settings: { ...settings, ...changes } })
  const isTouched = (field: 'name' | 'slug') => hasTriedSaving || settings[field] !== initialSettings[field]

  function save(event: FormEvent) {
    event.preventDefault()
    setHasTriedSaving(true)
    if (isReadOnly || problems.name || problems.slug || problems.pattern) return
    editor.edit(
      `Change the settings of ${initialSettings.name}`,
      changeFrame(frame.id, (current) => applySettings(current, initialSettings, settings)),
    )
    discard()
  }
  function discard() {
    draft.clear()
    onClose()
  }

  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => !open && onClose()}
      title="Frame Settings"
      description={getFrameTypeName(frameType)}
      footer={
        <>
          {isReadOnly ? <Button onClick={onClose}>Close</Button> : <Button onClick={discard}>Cancel</Button>}
          {!isReadOnly && (
            <Button type="submit" form={formId} variant="primary">
              Save
            </Button>
          )}
        </>
      }
    >
      {hasUnsavableDraft && (
        <p className="mb-4 flex flex-wrap items-center gap-2 text-ui">
          You can’t change this board right now. Your changes are saved in this browser for when you can.
          {changedText && <CopyButton text={changedText}>Copy</CopyButton>}
        </p>
      )}
      <form id={formId} noValidate onKeyDown={submitOnKey} onSubmit={save}>
        <fieldset disabled={isReadOnly} className="flex min-w-0 flex-col gap-5">
          {draft.restored && !hasUnsavableDraft && <DraftRestoredNote />}
          <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
            <TextField
              label="Frame Name"
              required
              maxLength={120}
              value={settings.name}
              error={isTouched('name') ? problems.name : undefined}
              autoComplete="off"
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            <TextField
              label="Slug"
              required
              mono
              maxLength={60}
              value={settings.slug}
              error={isTouched('slug') ? problems.slug : undefined}
              {...(problems.freeSlug && {
                fix: { label: `Use ${problems.freeSlug}`, onFix: () => change({ slug: problems.freeSlug ?? '' }) },
              })}
              help="Must be unique on this board."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => change({ slug: event.currentTarget.value })}
            />
          </div>
          <ChoiceCards
            label="Engagement pattern"
            columns={3}
            value={settings.pattern}
            options={engagementPatterns.map((pattern) => ({
              value: pattern,
              title: pattern,
              picture: <PatternSlots pattern={pattern} className="w-11 shrink-0" />,
            }))}
            error={problems.pattern}
            onValueChange={(pattern) => change({ pattern })}
          />
          <div className="grid grid-cols-[240px_minmax(0,1fr)] gap-4 phone:grid-cols-1">
            <figure aria-label="Pattern preview">
              <PatternSlots pattern={settings.pattern} labelled className="w-full" />
              <figcaption className="mt-1 text-small text-muted-foreground">
                {describeAcceptedFrames(settings.pattern)}
              </figcaption>
            </figure>
            <section aria-label="AI Assist" className="rounded-md bg-ribbon-soft px-3.5 py-3">
              <h3 className="flex items-center gap-1.5 font-sans text-ui font-semibold tracking-normal">
                <Sparkles aria-hidden size={14} className="text-ribbon-text" />
                AI Assist
              </h3>
              <p aria-live="polite" className="mt-1 text-ui">
                {getAssistHint(settings.pattern, frameType)}
              </p>
            </section>
          </div>
          <ContentFields
            frameType={frameType}
            content={settings.content}
            onChange={(content) => change({ content: { ...settings.content, ...content } })}
          />
        </fieldset>
      </form>
    </Dialog>
  )
}
