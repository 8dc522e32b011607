import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { commandKeyName } from './key-names.ts'
import { areSingleKeysOn, setSingleKeys, shortcutList } from './keyboard-shortcuts.ts'

export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [on, setOn] = useState(areSingleKeysOn)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2.5 text-ui">
        {shortcutList.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt>{does}</dt>
            <dd className="flex justify-end gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key.replace('Ctrl ', commandKeyName())}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 border-t border-hairline pt-4">
        <Switch
          label="Single-key shortcuts"
          help="Off while you type. Ctrl and Alt shortcuts work either way."
          checked={on}
          onCheckedChange={(next) => {
            setSingleKeys(next)
            setOn(next)
          }}
        />
      </div>
    </Dialog>
  )
}
