import { Download, Redo2, Undo2 } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme, ThemeVisibility } from '#contract/themes/themes.ts'
import { ApiError, getServerMessage } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { ConflictDialog, getConflictFields } from '#web/offline/conflict-dialog.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { getShortcutKey } from '#web/ui/fields/field-keys.ts'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { isDialogOpen } from '#web/ui/overlays/use-dialog-focus.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { ColorCell } from './color-cell.tsx'
import { findLowest, formatUnreadable } from './contrast.ts'
import { ContrastReport } from './contrast-report.tsx'
import { createThemeFile } from './theme-file.ts'
import { ThemeFilePicker, ThemeFileProblems } from './theme-file-picker.tsx'
import { getKeyLabel, type ThemeValues, themeModes, toThemeValues } from './theme-values.ts'
import { ThemedBox } from './themed-box.tsx'
import { useThemeEditing } from './use-theme-editing.ts'

interface ThemeEditorProps {
  title: string
  basedOn: string | undefined
  original: ThemeValues
  startValues: ThemeValues
  restored: boolean
  saving: boolean
  failure: unknown
  newerTheme: Theme | undefined
  onChange: (values: ThemeValues) => void
  onDiscard: () => void
  onUseNewer: (newerTheme: Theme) => void
  onKeepLocal: (values: ThemeValues, newerTheme: Theme) => void
  onDecideLater: () => void
  onSave: (values: ThemeValues) => void
  onLeave: () => void
  sample: ReactNode
}

const toComparedFields = ({ name, note, visibility, ...theme }: ThemeValues): Record<string, unknown> => ({
  name,
  note,
  visibility,
  ...Object.fromEntries(
    themeModes.flatMap((mode) =>
      Object.entries(theme[mode]).map(([key, color]) => [`${getKeyLabel(key)}, ${mode}`, color]),
    ),
  ),
})

export function ThemeEditor(props: ThemeEditorProps) {
  const { title, basedOn, original, startValues, restored, saving, failure, newerTheme, onSave, onLeave, sample } =
    props
  const editing = useThemeEditing(startValues, props.onChange)
  const { values, measuredPairs, undo, redo } = editing
  const [problems, setProblems] = useState<string[]>([])
  const [isLeaving, setIsLeaving] = useState(false)
  const [isNameMissing, setIsNameMissing] = useState(false)
  const errors = (failure instanceof ApiError && failure.fields) || {}
  const [contrastWarning, setContrastWarning] = useState({ isOpen: false, count: 0 })
  const isChanged = Object.values(editing.typed).some(Boolean) || JSON.stringify(values) !== JSON.stringify(original)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const isMissing = values.name.trim() === ''
    setIsNameMissing(isMissing)
    const form = event.currentTarget
    const focus = (name: string) => form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
    const committed = editing.commitTyped()
    if ('invalid' in committed) {
      const { mode, key } = committed.invalid
      setProblems([`${getKeyLabel(key)}, ${mode} isn’t a color. Use a hex color like #2a3d58. Nothing was saved.`])
      return focus(isMissing ? 'name' : `${mode} ${key}`)
    }
    setProblems([])
    if (isMissing) return focus('name')
    if (saving) return
    const count = editing.countFailing(committed.values)
    if (count > 0) setContrastWarning({ isOpen: true, count })
    else onSave(committed.values)
  }
  function fixAndSave() {
    const fixResult = editing.fixAll()
    if (fixResult.failingCount === 0) {
      onSave(fixResult.values)
      return
    }
    setContrastWarning({ isOpen: true, count: fixResult.failingCount })
    throw new Error(`Some pairs couldn’t be fixed. ${fixResult.unfixableText}`.trim())
  }
  const handleUndoKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndoKey = (event.ctrlKey || event.metaKey) && !event.altKey && getShortcutKey(event) === 'z'
    if (!isUndoKey || isDialogOpen()) return
    event.preventDefault()
    if (saving) return
    if (event.shiftKey) redo?.()
    else undo?.()
  })
  useEffect(() => {
    // Undo works wherever the focus is.
    const handleKeyDown = (event: KeyboardEvent) => handleUndoKey(event)
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [])

  return (
    <form aria-label={title} noValidate onSubmit={submit}>
      <PageHeader
        title={title}
        subtitle={
          basedOn ? `Based on ${basedOn}. Contrast is checked as you pick.` : 'Contrast is checked as you pick.'
        }
        actions={
          <>
            <ReadOnlyWhile while={saving}>
              <IconButton label="Undo" aria-keyshortcuts="Control+Z" disabled={!undo} onClick={() => undo?.()}>
                <Undo2 aria-hidden size={16} />
              </IconButton>
              <IconButton label="Redo" aria-keyshortcuts="Control+Shift+Z" disabled={!redo} onClick={() => redo?.()}>
                <Redo2 aria-hidden size={16} />
              </IconButton>
              <ThemeFilePicker
                onProblems={setProblems}
                onThemeRead={(theme) => {
                  setProblems([])
                  editing.importTheme(theme)
                }}
              />
            </ReadOnlyWhile>
            <Button
              size="small"
              icon={<Download aria-hidden size={13} />}
              onClick={() => saveFile(createThemeFile(values), `${toFileName(values.name)}.theme.json`)}
            >
              Export JSON
            </Button>
            <Button onClick={() => (isChanged ? setIsLeaving(true) : onLeave())}>Cancel</Button>
            <Button type="submit" variant="primary" busy={saving} busyLabel="Saving...">
              Save
            </Button>
          </>
        }
      />
      {newerTheme && (
        <ConflictDialog
          subject="This theme"
          fields={getConflictFields(toComparedFields(values), toComparedFields(toThemeValues(newerTheme)))}
          conflictKey={`theme/${newerTheme.id}`}
          onKeepLocal={(texts) => props.onKeepLocal({ ...values, ...texts }, newerTheme)}
          onKeepRemote={() => props.onUseNewer(newerTheme)}
          onClose={props.onDecideLater}
        />
      )}
      {restored && isChanged && (
        <Banner
          tone="info"
          className="mb-4"
          action={
            <Button size="small" onClick={props.onDiscard}>
              Discard
            </Button>
          }
        >
          Your unsaved changes were restored.
        </Banner>
      )}
      {failure !== undefined && (
        <Banner tone="error" className="mb-4">
          {toSaveFailureText(failure)}
        </Banner>
      )}
      {problems.length > 0 && (
        <Banner tone="error" className="mb-4" onDismiss={() => setProblems([])}>
          <ThemeFileProblems problems={problems} />
        </Banner>
      )}
      <ReadOnlyWhile while={saving}>
        <div className="mb-6 grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-4 max-[1100px]:grid-cols-1">
          <TextField
            label="Name"
            name="name"
            required
            maxLength={60}
            value={values.name}
            error={isNameMissing && values.name.trim() === '' ? 'Enter a name.' : errors.name}
            onChange={({ currentTarget }) => editing.set({ name: currentTarget.value }, 'name')}
          />
          <TextField
            label="Description"
            maxLength={200}
            value={values.note}
            error={errors.note}
            onChange={({ currentTarget }) => editing.set({ note: currentTarget.value }, 'note')}
          />
          <div>
            <p aria-hidden className="mb-1.5 text-ui leading-[1.125rem] font-label">
              Who can use it
            </p>
            <SegmentedControl<ThemeVisibility>
              label="Who can use it"
              value={values.visibility}
              onValueChange={(visibility) => editing.set({ visibility }, 'visibility')}
              options={[
                { value: 'private', label: 'Only you' },
                { value: 'public', label: 'Everyone here' },
              ]}
            />
          </div>
        </div>
        <div className="grid grid-cols-[minmax(380px,2fr)_minmax(0,3fr)] items-start gap-7 max-[1100px]:grid-cols-1">
          <div className="min-w-0 max-[1100px]:order-last">
            <ContrastReport
              measuredPairs={measuredPairs}
              basis={values.basis}
              announcement={editing.announcement}
              onFixAll={editing.fixAll}
            />
            <div
              aria-hidden
              className="mt-4 grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)] gap-x-3 text-small font-semibold text-muted-foreground phone:grid-cols-2"
            >
              <span className="phone:hidden" />
              <span>Light</span>
              <span>Dark</span>
            </div>
            {themeKeys.map((key) => (
              <fieldset
                key={key}
                className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)] items-start gap-x-3 border-b border-hairline py-2 phone:grid-cols-2"
              >
                <legend className="sr-only">{getKeyLabel(key)}</legend>
                <span
                  aria-hidden
                  className="pt-2 text-ui leading-[1.125rem] font-label phone:col-span-2 phone:pt-0 phone:pb-1"
                >
                  {getKeyLabel(key)}
                </span>
                {themeModes.map((mode) => (
                  <ColorCell
                    key={mode}
                    name={key}
                    mode={mode}
                    value={values[mode][key]}
                    typedColor={editing.typed[`${mode} ${key}`]}
                    lowestPair={findLowest(measuredPairs[mode].filter(({ foreground }) => foreground === key))}
                    onColorChange={editing.setColor}
                    onFix={editing.fixKey}
                  />
                ))}
              </fieldset>
            ))}
          </div>
          <div className="sticky top-[calc(var(--header-height)+16px)] grid min-w-0 grid-cols-2 gap-4 max-[1100px]:static phone:grid-cols-1">
            {themeModes.map((mode) => (
              <figure key={mode} className="min-w-0">
                <figcaption className="mb-1.5 text-small font-semibold text-muted-foreground">
                  {mode === 'light' ? 'Light' : 'Dark'}
                </figcaption>
                <ThemedBox
                  theme={{ ...values, slug: '' }}
                  mode={mode}
                  className="overflow-hidden rounded-lg border border-border bg-background text-foreground shadow-e1 phone:max-h-96"
                >
                  <div inert data-preview={mode}>
                    {sample}
                  </div>
                </ThemedBox>
              </figure>
            ))}
          </div>
        </div>
      </ReadOnlyWhile>
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setIsLeaving}
        title={withNames`Discard your changes to ${values.name.trim() || 'this theme'}?`}
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={onLeave}
      >
        Your changes aren’t saved and can’t be restored.
      </ConfirmDialog>
      <ConfirmDialog
        open={contrastWarning.isOpen}
        onOpenChange={(open) => setContrastWarning({ ...contrastWarning, isOpen: open })}
        tone="primary"
        title={withNames`${formatUnreadable(contrastWarning.count)}. Save ${values.name.trim()}?`}
        confirmLabel="Fix all and save"
        onConfirm={fixAndSave}
        extraAction={
          <Button
            onClick={() => {
              setContrastWarning({ ...contrastWarning, isOpen: false })
              onSave(values)
            }}
          >
            Save as it is
          </Button>
        }
      >
        Some text may be hard to read for anyone who uses this theme.
      </ConfirmDialog>
    </form>
  )
}

function toSaveFailureText(failure: unknown): string {
  if (failure instanceof ApiError && failure.status === 404)
    return 'This theme was deleted while you were editing. Your version is still here: export it to keep it.'
  return (
    getServerMessage(failure) ??
    'The theme couldn’t be saved. Your changes are safe in this browser; try again when you’re back online.'
  )
}

function toFileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'theme'
  )
}
