import type { ComponentChildren } from "preact";

const Icon = ({ children }: { children: ComponentChildren }) => (
  <svg class="icon" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" focusable="false">
    {children}
  </svg>
);

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" class="mark-ground" />
    <path d="M8 9.5h16M16 9.5V24" class="mark-line" />
    <circle cx="8" cy="9.5" r="2.6" class="mark-dot" />
    <circle cx="24" cy="9.5" r="2.6" class="mark-dot" />
    <circle cx="16" cy="24" r="2.6" class="mark-dot" />
  </svg>
);

export const ArrowIcon = () => (
  <Icon>
    <path d="M10 16V4.5M5 9l5-5 5 5" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M13 7V5.5a2 2 0 0 0-2-2H5.5a2 2 0 0 0-2 2V11a2 2 0 0 0 2 2H7" />
  </Icon>
);

export const DoneIcon = () => (
  <Icon>
    <path d="m4 10.5 4 4 8-9" />
  </Icon>
);

export const ScopeIcon = () => (
  <Icon>
    <path d="M3 5h14M5.5 10h9M8 15h4" />
  </Icon>
);

export const WarningIcon = () => (
  <Icon>
    <path d="M10 3 2.5 16.5h15L10 3Zm0 5v4m0 2.2v.1" />
  </Icon>
);

export const PlusIcon = () => (
  <Icon>
    <path d="M10 4v12M4 10h12" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="m5.5 5.5 9 9m0-9-9 9" />
  </Icon>
);

export const ListIcon = () => (
  <Icon>
    <path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h8" />
  </Icon>
);

export const BackIcon = () => (
  <Icon>
    <path d="M12 4.5 6.5 10l5.5 5.5" />
  </Icon>
);

export const EditIcon = () => (
  <Icon>
    <path d="M4 16l.8-3.4 8.4-8.4a1.7 1.7 0 0 1 2.6 2.6l-8.4 8.4L4 16Z" />
  </Icon>
);

export const SaveIcon = () => (
  <Icon>
    <path d="M5.5 3.5h9v13L10 13l-4.5 3.5v-13Z" />
  </Icon>
);
