import { z } from 'zod';

// The page's CSP forbids eval; zod would probe `new Function` and log a violation.
z.config({ jitless: true });
