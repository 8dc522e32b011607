import { createRoot } from 'react-dom/client'
import { keepKeys } from '../ui/keep-keys.ts'
import { SitePage } from './site-page.tsx'

keepKeys()

createRoot(document.getElementById('root') as HTMLElement).render(<SitePage />)
