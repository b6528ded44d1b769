//! A minimal server on the official Rust SDK: the files of a directory as
//! resources, each read once and then kept.
//!
//!     server DIRECTORY         over standard input and output
//!     server DIRECTORY PORT    over HTTP on 127.0.0.1
use std::{
    borrow::Cow,
    collections::HashMap,
    error::Error,
    sync::{Arc, RwLock},
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::*,
    service::{RequestContext, SubscriptionContext},
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
};

struct Shared {
    resources: Vec<Resource>,
    texts: RwLock<HashMap<String, Arc<str>>>,
    watched: String,
    changes: watch::Receiver<u64>,
}

#[derive(Clone)]
struct Files(Arc<Shared>);

impl Files {
    fn open(directory: &str, changes: watch::Receiver<u64>) -> Result<Self, Box<dyn Error>> {
        let mut resources = Vec::new();
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with("readme") {
                continue;
            }
            let uri = format!("file://{directory}/{name}");
            let size = entry.metadata()?.len();
            let modified = entry.metadata()?.modified()?.into();
            resources.push(
                Resource::new(uri, name)
                    .with_mime_type("text/plain")
                    .with_size(size)
                    .with_annotations(Annotations::default().with_timestamp(modified)),
            );
        }
        Ok(Self(Arc::new(Shared {
            resources,
            texts: RwLock::default(),
            watched: format!("file://{directory}/watched.txt"),
            changes,
        })))
    }

    async fn text_of(&self, uri: &str) -> Result<Arc<str>, ErrorData> {
        if let Some(text) = self.0.texts.read().unwrap().get(uri) {
            return Ok(text.clone());
        }
        let path = uri.strip_prefix("file://").unwrap_or(uri).to_owned();
        let text = tokio::task::spawn_blocking(move || std::fs::read_to_string(path))
            .await
            .unwrap()
            .map_err(|e| ErrorData::resource_not_found(e.to_string(), None))?;
        let text: Arc<str> = text.into();
        self.0
            .texts
            .write()
            .unwrap()
            .insert(uri.to_owned(), text.clone());
        Ok(text)
    }
}

impl ServerHandler for Files {
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(&[ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25])
    }

    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("rust-sdk", "3.8.0"))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(
            self.0.resources.clone(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let text = self.text_of(&request.uri).await?;
        let contents = ResourceContents::text(text.as_ref(), request.uri);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    fn accepted_subscription_filter(
        &self,
        wanted: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(wanted.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.0.changes.clone();
        changes.mark_unchanged();
        loop {
            tokio::select! {
                _ = context.cancelled() => return Ok(()),
                _ = changes.changed() => {
                    let _ = context.sink().notify_resource_updated(&self.0.watched).await;
                }
            }
        }
    }
}

async fn tell_changes(changes: watch::Sender<u64>) {
    let mut signals = signal(SignalKind::user_defined2()).expect("a signal handler");
    while signals.recv().await.is_some() {
        changes.send_modify(|count| *count += 1);
    }
}

async fn serve_http(files: Files, port: &str) -> Result<(), Box<dyn Error>> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let service: StreamableHttpService<Files, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(files.clone()), Default::default(), config);
    let router = axum::Router::new().nest_service("/mcp", service);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    Ok(axum::serve(listener, router).await?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (sender, changes) = watch::channel(0);
    let files = Files::open(&arguments[1], changes)?;
    tokio::spawn(tell_changes(sender));
    if let Some(port) = arguments.get(2) {
        return serve_http(files, port).await;
    }
    files
        .serve(rmcp::transport::stdio())
        .await?
        .waiting()
        .await?;
    Ok(())
}
