import 'sonner/dist/styles.css'
import { useEffect } from 'react'
import { Toaster as Sonner } from 'sonner'
import { showToast } from './show-toast.tsx'
import { takeStoredToast } from './stored-toast.ts'

export function Toaster() {
  // After the toaster's own effects: it shows only toasts that come later.
  useEffect(() => {
    const message = takeStoredToast()
    if (message !== null) void showToast(message)
  }, [])
  return (
    <Sonner
      position="bottom-center"
      visibleToasts={1}
      duration={5000}
      offset={{ bottom: 'var(--k-toast-bottom, 24px)' }}
      mobileOffset={{ bottom: 'var(--k-toast-bottom, 16px)' }}
      containerAriaLabel="Notices"
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  )
}
