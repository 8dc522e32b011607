import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { combineTexts } from '#web/ui/text/compare-texts.ts'
import type { ConflictDialogProps, ConflictField } from './conflict-dialog.tsx'
import { DifferingText } from './differing-text.tsx'
import { useDraft } from './use-draft.ts'

/** The stored names predate the glossary: `yours` is the local version, `current` the saved one. */
interface EditedText {
  merged: string
  yours: string
  current: string
}
type Choice = 'local' | 'remote' | 'together'

const toEditedText = ({ local, remote }: ConflictField, merged: string): EditedText => ({
  merged,
  yours: local,
  current: remote,
})

const countUnchangedTexts = ({ yours, current }: EditedText, { local, remote }: ConflictField): number =>
  Number(yours === local) + Number(current === remote)

export function ConflictView(props: ConflictDialogProps) {
  const { subject, fields, onKeepLocal, onKeepRemote, onClose } = props
  const textFields = fields.filter(({ isText }) => isText)
  // Fixed on opening, so that another save doesn't discard the text.
  const [key] = useState(() => `conflict/${props.conflictKey}`)
  const draft = useDraft<Record<string, EditedText>>(key, {})
  const [isEditing, setEditing] = useState(false)
  const [busyChoice, setBusyChoice] = useState<Choice>()
  const [failure, setFailure] = useState<string>()
  /** A stored text survives one newer version. */
  const findStoredText = (field: ConflictField) => {
    const stored = draft.value[field.name]
    return stored && countUnchangedTexts(stored, field) > 0 ? stored : undefined
  }
  const getEditedText = (field: ConflictField): EditedText =>
    findStoredText(field) ?? toEditedText(field, combineTexts(field.remote, field.local))
  const isTogether = textFields.length > 0 && (isEditing || textFields.some(findStoredText))

  async function run(choice: Choice, save: () => unknown) {
    setBusyChoice(choice)
    setFailure(undefined)
    try {
      await save()
      draft.clear()
      onClose()
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusyChoice(undefined)
    }
  }

  const renderChoice = (choice: Choice, label: string, save: () => unknown, primary = false) => (
    <Button
      variant={primary ? 'primary' : 'outline'}
      busy={busyChoice === choice}
      busyLabel="Saving..."
      disabled={busyChoice !== undefined}
      onClick={() => run(choice, save)}
    >
      {label}
    </Button>
  )

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busyChoice && onClose()}
      size="wide"
      title={<>{subject} was changed elsewhere</>}
      description="Someone else, or you on another device, saved a newer version while you were writing. Choose what to keep. Both versions are safe until you save."
      footer={
        <>
          <Button variant="plain" onClick={onClose} disabled={busyChoice !== undefined}>
            Decide later
          </Button>
          {renderChoice('remote', 'Keep theirs', onKeepRemote)}
          {textFields.length > 0 && !isTogether && (
            <Button onClick={() => setEditing(true)} disabled={busyChoice !== undefined}>
              Edit together
            </Button>
          )}
          {renderChoice('local', 'Keep mine', () => onKeepLocal({}), !isTogether)}
          {isTogether &&
            renderChoice(
              'together',
              'Save together',
              () =>
                onKeepLocal(Object.fromEntries(textFields.map((field) => [field.name, getEditedText(field).merged]))),
              true,
            )}
        </>
      }
    >
      {failure && (
        <Banner tone="error" className="mb-4">
          {failure}
        </Banner>
      )}
      {fields.length === 0 && <p className="text-ui">Both versions are the same.</p>}
      <div className="flex flex-col gap-6">
        {fields.map((field) => (
          <section key={field.name} aria-label={field.label}>
            <h3 className="mb-2 text-ui font-label">{field.label}</h3>
            <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
              <Version title="Mine">
                <DifferingText text={field.local} other={field.remote} kind="added" />
              </Version>
              <Version title="Theirs, as saved now">
                <DifferingText text={field.remote} other={field.local} kind="removed" />
              </Version>
            </div>
            {isTogether && field.isText && (
              <CombinedTextArea
                field={field}
                edited={getEditedText(field)}
                onChange={(text) => draft.set({ ...draft.value, [field.name]: toEditedText(field, text) })}
              />
            )}
          </section>
        ))}
      </div>
    </Dialog>
  )
}

interface CombinedTextAreaProps {
  field: ConflictField
  edited: EditedText
  onChange: (text: string) => void
}

function CombinedTextArea({ field, edited, onChange }: CombinedTextAreaProps) {
  return (
    <TextArea
      id={`together-${field.name}`}
      className="mt-3"
      label={`${field.label}, together`}
      help={
        countUnchangedTexts(edited, field) === 2
          ? 'Starts with the full text of both versions.'
          : 'One of the versions was saved again after you wrote this text.'
      }
      serif
      rows={6}
      value={edited.merged}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Version({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0 rounded-lg border border-border bg-card p-3.5">
      <p className="mb-1.5 text-small font-label text-muted-foreground">{title}</p>
      <div className="max-h-72 overflow-y-auto">{children}</div>
    </div>
  )
}
