import { createRoot } from 'react-dom/client'
import { SitePage } from './site-page.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(<SitePage />)
