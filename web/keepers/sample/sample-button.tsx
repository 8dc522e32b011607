import { BookOpen } from 'lucide-react'
import type { ButtonSize, ButtonVariant } from '#web/ui/controls/button.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { useSample } from './use-sample.ts'

interface SampleButtonProps {
  variant?: ButtonVariant
  size?: ButtonSize
}

export function SampleButton({ variant = 'outline', size = 'medium' }: SampleButtonProps) {
  const { open, busy, error } = useSample()
  return (
    <>
      <Button
        variant={variant}
        size={size}
        busy={busy}
        busyLabel="Creating..."
        icon={<BookOpen aria-hidden size={14} />}
        onClick={open}
      >
        Look at a sample keeper
      </Button>
      <span role="alert" className="text-ui font-medium text-destructive empty:hidden">
        {error}
      </span>
    </>
  )
}
