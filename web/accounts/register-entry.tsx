import { hydrateRoot } from 'react-dom/client'
import { RegisterPage } from './register-page.tsx'

hydrateRoot(document.getElementById('root') as HTMLElement, <RegisterPage />)
