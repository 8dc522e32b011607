import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { copyText } from './copy-text.ts'
import { IconButton } from './icon-button.tsx'

export interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'busy' | 'busyLabel'> {
  text: string | (() => string | Promise<string>)
  label?: string
  copiedLabel?: string
  staysMilliseconds?: number
  onCopyFailed?: (reason: unknown) => void
}

export function CopyButton({
  text,
  label = 'Copy',
  copiedLabel = 'Copied',
  staysMilliseconds = 2000,
  onCopyFailed,
  children,
  icon,
  size = 'small',
  ...rest
}: CopyButtonProps) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(''), staysMilliseconds)
    return () => clearTimeout(timer)
  }, [said, staysMilliseconds])

  async function copy() {
    try {
      await copyText(typeof text === 'function' ? await text() : text)
      setSaid(copiedLabel)
    } catch (reason) {
      if (onCopyFailed) onCopyFailed(reason)
      else setSaid('Failed to copy to clipboard')
    }
  }

  const glyph: ReactNode =
    said === copiedLabel ? (
      <Check aria-hidden size={14} className="text-success" />
    ) : icon === undefined ? (
      <Copy aria-hidden size={14} />
    ) : (
      icon
    )
  return (
    <>
      {children === undefined ? (
        <IconButton label={said || label} size="small" onClick={copy} className={rest.className}>
          {glyph}
        </IconButton>
      ) : (
        <Button {...rest} size={size} onClick={copy} icon={glyph}>
          {said || children}
        </Button>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  )
}
