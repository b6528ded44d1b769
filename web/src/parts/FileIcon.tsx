import "./fileIcon.css";

export function FileIcon({ directory }: { directory: boolean }) {
  return (
    <svg class={directory ? "icon-of folder" : "icon-of"} viewBox="0 0 16 16" aria-hidden="true">
      {directory ? (
        <path d="M1.5 3.5h4.6l1.4 1.6h7v7.9a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1z" />
      ) : (
        <path d="M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3" />
      )}
    </svg>
  );
}
