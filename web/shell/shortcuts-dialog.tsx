import { useState } from 'react'
import { areSingleKeyShortcutsOn, setSingleKeyShortcuts } from '#web/page/single-key-shortcuts.ts'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { getCommandKeyName } from '../ui/fields/field-keys.ts'
import { type ListedShortcut, type ShortcutGroup, shortcutGroups } from './shortcut-list.ts'

export function ShortcutsDialog({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const [isEnabled, setEnabled] = useState(areSingleKeyShortcutsOn)
  return (
    <Dialog open onOpenChange={onOpenChange} title="Keyboard shortcuts" size="large">
      <div className="columns-2 gap-x-10 phone:columns-1">
        {shortcutGroups.map((group) => (
          <Shortcuts key={group.title} group={group} />
        ))}
      </div>
      <div className="mt-5 border-t border-hairline pt-4">
        <Switch
          label="Single-key shortcuts"
          help="Off while you type. Ctrl and Alt shortcuts always work."
          checked={isEnabled}
          onCheckedChange={(next) => {
            setSingleKeyShortcuts(next)
            setEnabled(next)
          }}
        />
      </div>
    </Dialog>
  )
}

/** Larger groups may break across columns. */
const maxUnbrokenRows = 6

function Shortcuts({ group: { title, shortcuts } }: { group: ShortcutGroup }) {
  return (
    <section aria-label={title} className={shortcuts.length <= maxUnbrokenRows ? 'mb-5 break-inside-avoid' : 'mb-5'}>
      <h3 className="mb-2 break-after-avoid font-sans text-small font-semibold tracking-normal text-muted-foreground">
        {title}
      </h3>
      <dl className="flex flex-col gap-2 text-ui">
        {shortcuts.map((shortcut) => (
          <div key={shortcut.description} className="flex break-inside-avoid items-start justify-between gap-4">
            <dt className="min-w-0">{shortcut.description}</dt>
            <dd className="flex shrink-0 gap-1">
              <Keys shortcut={shortcut} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Keys({ shortcut: { keys, alternatives = [] } }: { shortcut: ListedShortcut }) {
  return [...keys, ...alternatives].map((key) => <Kbd key={key}>{key.replace('Ctrl ', getCommandKeyName())}</Kbd>)
}
