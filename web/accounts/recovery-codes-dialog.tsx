import { Download, Printer } from 'lucide-react'
import { saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

/** The only time that the codes are shown. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      printed
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Your recovery codes"
      description="Each works once in place of a code from the app. They are shown only now: keep them in a safe place."
      footer={
        <Button variant="primary" onClick={onClose}>
          I’ve saved them
        </Button>
      }
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 font-mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div data-chrome className="mt-5 flex flex-wrap gap-2">
        <Button size="small" icon={<Download aria-hidden size={14} />} onClick={() => download(codes)}>
          Download
        </Button>
        <Button size="small" icon={<Printer aria-hidden size={14} />} onClick={() => print()}>
          Print
        </Button>
        <CopyButton text={codes.join('\n')}>Copy</CopyButton>
      </div>
    </Dialog>
  )
}

function download(codes: string[]): void {
  const text = `Recovery codes of your Keeper account at ${location.host}. Each works once.\n\n${codes.join('\n')}\n`
  saveFile(new Blob([text], { type: 'text/plain' }), 'keeper-recovery-codes.txt')
}
